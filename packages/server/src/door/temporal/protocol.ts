/**
 * The message types of Temporal's API from its npm package. Loading them takes a few hundred milliseconds, so only the
 * door imports this file, and only when it opens.
 *
 * Readers keep unknown fields: a newer client's new field must survive a round trip through a server that does not know it.
 * The option is set on each reader and not globally, because other code in this process may use the same library.
 */
import { createRequire } from 'node:module';
import type { temporal } from '@temporalio/proto';

export type Schedule = temporal.api.schedule.v1.ISchedule;
export type Spec = temporal.api.schedule.v1.IScheduleSpec;
export type StructuredCalendar = temporal.api.schedule.v1.IStructuredCalendarSpec;
export type Range = temporal.api.schedule.v1.IRange;
export type Policies = temporal.api.schedule.v1.ISchedulePolicies;
export type State = temporal.api.schedule.v1.IScheduleState;
export type Patch = temporal.api.schedule.v1.ISchedulePatch;
export type WorkflowStart = temporal.api.workflow.v1.INewWorkflowExecutionInfo;
export type Payload = temporal.api.common.v1.IPayload;
export type Timestamp = NonNullable<Spec['startTime']>;
export type Duration = NonNullable<Spec['jitter']>;

interface Writer {
  finish(): Uint8Array;
}

interface Reader {
  discardUnknown: boolean;
}

/** The part of a protobufjs message type that this door uses. */
export interface MessageType {
  /** With a leading dot: `.temporal.api.common.v1.Payload`. */
  readonly fullName: string;
  readonly fieldsArray: readonly MessageField[];
  encode(message: object): Writer;
  decode(reader: Reader): object;
}

export interface EnumType {
  readonly name: string;
  readonly fullName: string;
  readonly values: Readonly<Record<string, number>>;
  readonly valuesById: Readonly<Record<number, string>>;
}

export interface MessageField {
  /** The name in camel case. */
  readonly name: string;
  /** Its number on the wire. */
  readonly id: number;
  /** `string`, `int64`, …; the name of a message or an enumeration. */
  readonly type: string;
  readonly repeated: boolean;
  readonly map: boolean;
  readonly resolvedType: MessageType | EnumType | null;
  /** The group of which at most one field is set. */
  readonly partOf: { readonly name: string } | null;
  resolve(): MessageField;
}

/** A path of Temporal's HTTP API, as the API's definition declares it: `google.api.http`. */
export interface HttpBinding {
  readonly get?: string;
  readonly post?: string;
  readonly put?: string;
  readonly patch?: string;
  readonly delete?: string;
  readonly body?: string;
  readonly additional_bindings?: HttpBinding | readonly HttpBinding[];
}

export interface RemoteMethod {
  readonly name: string;
  readonly responseStream?: boolean;
  readonly parsedOptions?: readonly { readonly '(google.api.http)'?: HttpBinding }[];
  readonly resolvedRequestType: MessageType;
  readonly resolvedResponseType: MessageType;
  resolve(): RemoteMethod;
}

interface Root {
  lookupType(name: string): MessageType;
  lookupService(name: string): { readonly methods: Readonly<Record<string, RemoteMethod>> };
}

const here = createRequire(import.meta.url);
const root = here('@temporalio/proto') as Root;
// The same copy of protobufjs that the package uses: its types do not accept a reader of another copy.
const { Reader: ReaderClass } = createRequire(here.resolve('@temporalio/proto'))('protobufjs') as {
  readonly Reader: { create(bytes: Uint8Array): Reader };
};

const types = new Map<string, MessageType>();

export function typeNamed(name: string): MessageType {
  let type = types.get(name);
  if (type === undefined) {
    type = root.lookupType(name);
    types.set(name, type);
  }
  return type;
}

export function encode(type: MessageType, message: object): Uint8Array {
  return type.encode(message).finish();
}

/** Throws when the bytes are not a message of this type. */
export function decode<T extends object>(type: MessageType, bytes: Uint8Array): T {
  const reader = ReaderClass.create(bytes);
  reader.discardUnknown = false;
  return type.decode(reader) as T;
}

export const specType = typeNamed('temporal.api.schedule.v1.ScheduleSpec');
export const workflowStartType = typeNamed('temporal.api.workflow.v1.NewWorkflowExecutionInfo');
export const attributesType = typeNamed('temporal.api.common.v1.SearchAttributes');
export const memoType = typeNamed('temporal.api.common.v1.Memo');

export interface RemoteService {
  readonly name: string;
  readonly methods: readonly RemoteMethod[];
}

export function serviceNamed(name: string): RemoteService {
  const { methods } = root.lookupService(name);
  return { name, methods: Object.values(methods).map((method) => method.resolve()) };
}
