/**
 * Turns a request that creates or replaces a schedule into the stored definition. The definition also keeps the client's
 * bytes (`origin`), because payloads may be encrypted and a newer client may send fields that this version does not know.
 */
import { isDeepStrictEqual } from 'node:util';
import type {
  AttributeTypes,
  DefinitionDraft,
  Origin,
  ScheduleDefinition,
  ScheduleName,
} from 'carillon/internal/service';
import { aboutOf, largestPayload } from 'carillon/internal/service';
import type { ClusterTarget } from './cluster-target.ts';
import { onCluster } from './cluster-target.ts';
import { base64, contentOf, withField, without } from './fields.ts';
import { keptBytes, originDoor } from './origin.ts';
import { readPayloads } from './payload.ts';
import { readPolicies, readState } from './policies.ts';
import type { Payload, Schedule, WorkflowStart } from './protocol.ts';
import { attributesType, encode } from './protocol.ts';
import type { WireAttributes } from './search-attributes/payload.ts';
import { withTypes } from './search-attributes/payload.ts';
import { SentAttributes } from './search-attributes/sent-attributes.ts';
import { predefinedAttributes } from './search-attributes/system-attributes.ts';
import { SentSpec } from './sent-spec.ts';
import { SentStart } from './sent-start.ts';
import { badRequest } from './status.ts';

/** The fields that create and update requests share. */
export interface DraftRequest {
  readonly schedule?: Schedule | null;
  readonly memo?: { readonly fields?: Readonly<Record<string, Payload>> | null } | null;
  readonly searchAttributes?: WireAttributes | null;
}

export interface DraftSource {
  readonly request: DraftRequest;
  /** The encoded request, and the field numbers of its three parts. */
  readonly body: Uint8Array;
  readonly numbers: { readonly schedule: number; readonly memo: number };
  readonly types: AttributeTypes;
  /** The seed from which the jitter of a new schedule is derived. */
  readonly seed: string;
  readonly name: ScheduleName;
  /** The cluster on which the namespace starts its workflows; undefined when this server runs them. */
  readonly target: ClusterTarget | undefined;
}

/** The numbers of the fields that the door reads; it keeps all others for the client. */
const scheduleFields = new Set([1, 2, 3, 4]);
const policyFields = new Set([1, 2, 3, 4]);
const stateFields = new Set([1, 2, 3, 4]);
/** Without a limit the number of remaining actions has no meaning, so it is only kept. */
const unlimitedStateFields = new Set([1, 2, 3]);
const actionField = 2;
const policiesField = 3;
const stateField = 4;
const startWorkflowField = 1;
const attributesField = 12;
const inputField = 4;
const queueField = 3;
/** The encoded field `kind` of a `TaskQueue`: normal. */
const normalKind = Uint8Array.of(2 * 8, 1);

/** The size of a whole request. What is not payload is small, and every change rewrites the stored part. */
const largestRequest = 2 * largestPayload;

/**
 * Checks everything that does not depend on the stored schedule. The returned function makes the draft from the definition
 * that it replaces. It keeps parts that the client sends back as they were described, a memo and attributes that the request
 * does not mention, and what Temporal cannot express.
 */
export function readDraft(source: DraftSource): (before?: ScheduleDefinition) => DefinitionDraft {
  const { request, body, numbers, types, seed, name, target } = source;
  if (body.length > largestRequest) throw tooLarge();
  const raw = contentOf(body, numbers.schedule) ?? new Uint8Array();
  const memoBytes = contentOf(body, numbers.memo);
  const { schedule } = request;
  const start = schedule?.action?.startWorkflow;
  if (start === null || start === undefined) {
    throw badRequest('Only StartWorkflow action is supported for schedules');
  }
  const actionBytes = contentOf(raw, actionField) ?? new Uint8Array();
  const startBytes = contentOf(actionBytes, startWorkflowField) ?? new Uint8Array();
  const inputSize = contentOf(startBytes, inputField)?.length ?? 0;
  if (inputSize + (memoBytes?.length ?? 0) > largestPayload) throw tooLarge();
  const sentSpec = new SentSpec(schedule?.spec);
  const sentStart = new SentStart(start, {
    types,
    id: name.id,
    onto: (action) =>
      target === undefined ? action : onCluster(action, startBytes, { target, namespace: name.namespace }),
  });
  const memoValues = memoBytes === undefined ? undefined : readPayloads(request.memo?.fields);
  readPolicies(schedule?.policies);
  const state = readState(schedule?.state);
  const sentAttributes = new SentAttributes(request.searchAttributes, types);
  const extras: Readonly<Record<string, Uint8Array>> = {
    schedule: without(raw, scheduleFields),
    policies: without(contentOf(raw, policiesField) ?? new Uint8Array(), policyFields),
    state: without(
      contentOf(raw, stateField) ?? new Uint8Array(),
      state.remaining === null ? unlimitedStateFields : stateFields,
    ),
  };
  return (before) => {
    const spec = sentSpec.over(before);
    const action = sentStart.over(before, () => typedAction(actionBytes, startBytes, start, types));
    const memo = memoOver(memoValues, memoBytes, before);
    const attributes = sentAttributes.over(before);
    const origin = originOf({
      ...texts(extras),
      spec: spec.kept,
      action: action.kept,
      memo: memo.kept,
      attributes: attributes.kept,
    });
    return {
      spec: spec.value,
      action: action.value,
      policy: readPolicies(schedule?.policies, before),
      paused: state.paused,
      remaining: state.remaining,
      ...aboutOf(before ?? {}),
      note: state.note,
      memo: memo.values,
      attributes: attributes.values,
      ...(origin === undefined ? {} : { origin }),
      seed: before?.seed ?? seed,
    };
  };
}

/** Keeps a memo that the request does not mention, and a memo of another door that the client sends back as it was shown. */
function memoOver(
  given: Readonly<Record<string, unknown>> | undefined,
  bytes: Uint8Array | undefined,
  before: ScheduleDefinition | undefined,
) {
  const kept = before === undefined ? undefined : keptBytes(before, 'memo');
  const isSame = before !== undefined && kept === undefined && isDeepStrictEqual(given, before.memo);
  if (given === undefined || isSame) return { values: before?.memo ?? {}, kept: textOf(kept) };
  return { values: given, kept: textOf(bytes) };
}

/**
 * Adds types to search attributes, because clients drop attributes without one, and the kind to a task queue without one, as
 * Temporal does. All other bytes of the action stay unchanged.
 */
function typedAction(
  actionBytes: Uint8Array,
  startBytes: Uint8Array,
  { searchAttributes, taskQueue }: WorkflowStart,
  types: AttributeTypes,
): Uint8Array {
  let result = startBytes;
  if (Object.keys(searchAttributes?.indexedFields ?? {}).length > 0) {
    const all = new Map([...predefinedAttributes, ...types]);
    const typed = encode(attributesType, withTypes(searchAttributes ?? {}, all));
    result = withField(result, attributesField, typed);
  }
  if ((taskQueue?.kind ?? 0) === 0) {
    const queue = contentOf(result, queueField) ?? new Uint8Array();
    result = withField(result, queueField, Buffer.concat([queue, normalKind]));
  }
  return result === startBytes ? actionBytes : withField(actionBytes, startWorkflowField, result);
}

/** Undefined when the definition holds everything that the client sent. */
function originOf(data: Readonly<Record<string, string | undefined>>): Origin | undefined {
  const entries = Object.entries(data).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  return entries.length === 0 ? undefined : { [originDoor]: Object.fromEntries(entries) };
}

function texts(parts: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, base64(bytes)]));
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : base64(bytes);
}

export function tooLarge() {
  return badRequest('Blob data size exceeds limit.');
}
