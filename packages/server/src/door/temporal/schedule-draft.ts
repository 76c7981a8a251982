/**
 * From a request that creates or replaces a schedule to the definition that is stored. Beside our own words for it, the
 * client's are kept as the bytes they came in (`origin`): payloads may be encrypted, and a newer client may say things we
 * have never heard of.
 */
import type { Origin, ScheduleAction, ScheduleDefinition } from 'carillon/internal/scheduler';
import type { DefinitionDraft } from 'carillon/internal/service';
import { largestPayload } from 'carillon/internal/service';
import type { AttributeValue } from 'carillon/internal/store';
import { contentOf, field, without } from './fields.ts';
import { readPayloads } from './payload.ts';
import { readPolicies, readState } from './policies.ts';
import type { Payload, Schedule, WorkflowStart } from './protocol.ts';
import { attributesType, encode } from './protocol.ts';
import type { AttributeTypes } from './search-attributes/attribute-type.ts';
import type { WireAttributes } from './search-attributes/payload.ts';
import { readSearchAttributes, withTypes } from './search-attributes/payload.ts';
import { predefinedAttributes } from './search-attributes/system-attributes.ts';
import { readSpec } from './spec-message.ts';
import { badRequest } from './status.ts';
import { readWorkflowStart } from './workflow-start.ts';

export const originDoor = 'temporal';

/** What both kinds of request have. */
export interface DraftRequest {
  readonly schedule?: Schedule | null;
  readonly memo?: { readonly fields?: Readonly<Record<string, Payload>> | null } | null;
  readonly searchAttributes?: WireAttributes | null;
}

export interface DraftSource {
  readonly request: DraftRequest;
  /** The request as it came, and where in it the three parts stand. */
  readonly body: Uint8Array;
  readonly numbers: { readonly schedule: number; readonly memo: number };
  readonly types: AttributeTypes;
  /** What the jitter is derived from. */
  readonly seed: string;
}

/** The numbers of the fields we read; all others are kept for the client. */
const scheduleFields = new Set([1, 2, 3, 4]);
const policyFields = new Set([1, 2, 3, 4]);
const stateFields = new Set([1, 2, 3, 4]);
/** Without a limit the number of remaining actions means nothing, and is merely kept. */
const unlimitedStateFields = new Set([1, 2, 3]);
const actionField = 2;
const policiesField = 3;
const stateField = 4;
const startWorkflowField = 1;
const attributesField = 12;
const inputField = 4;

/** A whole request; what is not payload is small, and what we store of it is rewritten with every change. */
const largestRequest = 2 * largestPayload;

/**
 * Checks everything that does not depend on what is there already. The result makes the draft, given what is replaced:
 * memo and attributes that are not mentioned stay as they are, and so does what Temporal has no words for.
 */
export function readDraft(source: DraftSource): (before?: ScheduleDefinition) => DefinitionDraft {
  const { request, body, numbers, types, seed } = source;
  if (body.length > largestRequest) throw tooLarge();
  const raw = contentOf(body, numbers.schedule) ?? new Uint8Array();
  const memoBytes = contentOf(body, numbers.memo);
  const { schedule } = request;
  const { spec, message } = readSpec(schedule?.spec);
  const start = schedule?.action?.startWorkflow;
  if (start === null || start === undefined) {
    throw badRequest('Only StartWorkflow action is supported for schedules');
  }
  const actionBytes = contentOf(raw, actionField) ?? new Uint8Array();
  const startBytes = contentOf(actionBytes, startWorkflowField) ?? new Uint8Array();
  const inputSize = contentOf(startBytes, inputField)?.length ?? 0;
  if (inputSize + (memoBytes?.length ?? 0) > largestPayload) throw tooLarge();
  const isOurs = (start.taskQueue?.name ?? '').startsWith('@');
  const action = isOurs ? undefined : readWorkflowStart(start, types);
  readPolicies(schedule?.policies);
  const state = readState(schedule?.state);
  const attributes = readAttributes(request.searchAttributes, types);
  const kept: Record<string, Uint8Array> = {
    spec: message,
    schedule: without(raw, scheduleFields),
    policies: without(contentOf(raw, policiesField) ?? new Uint8Array(), policyFields),
    state: without(
      contentOf(raw, stateField) ?? new Uint8Array(),
      state.remaining === null ? unlimitedStateFields : stateFields,
    ),
    ...(action === undefined ? {} : { action: typedAction(actionBytes, startBytes, start, types) }),
  };
  return (before) => {
    const memo =
      memoBytes === undefined
        ? { values: before?.memo ?? {}, kept: before?.origin?.data.memo }
        : { values: readPayloads(request.memo?.fields), kept: base64(memoBytes) };
    const found =
      attributes === undefined
        ? { values: before?.attributes ?? {}, kept: before?.origin?.data.attributes }
        : { values: attributes.values, kept: base64(attributes.bytes) };
    return {
      spec,
      action: action ?? sameAction(start, before),
      policy: readPolicies(schedule?.policies, before),
      paused: state.paused,
      remaining: state.remaining,
      note: state.note,
      description: before?.description ?? '',
      owner: before?.owner ?? '',
      tags: before?.tags ?? [],
      memo: memo.values,
      attributes: found.values,
      origin: originOf(kept, { memo: memo.kept, attributes: found.kept }),
      seed,
    };
  };
}

/** Work elsewhere is shown as a workflow on a queue of ours. Sent back like that, it stays what it is. */
function sameAction(start: WorkflowStart, before: ScheduleDefinition | undefined): ScheduleAction {
  const action = before?.action;
  if (
    action !== undefined &&
    action.queue === start.taskQueue?.name &&
    action.name === start.workflowType?.name
  ) {
    return action;
  }
  throw badRequest(`TaskQueue names beginning with '@' are the server's own.`);
}

function readAttributes(
  given: WireAttributes | null | undefined,
  types: AttributeTypes,
): { readonly values: Readonly<Record<string, AttributeValue>>; readonly bytes: Uint8Array } | undefined {
  if (given === null || given === undefined) return undefined;
  return {
    values: readSearchAttributes(given, types),
    bytes: encode(attributesType, withTypes(given, types)),
  };
}

/** Clients drop attributes without a type; all else of the action stays bit for bit. */
function typedAction(
  actionBytes: Uint8Array,
  startBytes: Uint8Array,
  { searchAttributes }: WorkflowStart,
  types: AttributeTypes,
): Uint8Array {
  if (Object.keys(searchAttributes?.indexedFields ?? {}).length === 0) return actionBytes;
  const all = new Map([...predefinedAttributes, ...types]);
  const typed = encode(attributesType, withTypes(searchAttributes ?? {}, all));
  const start = Buffer.concat([
    without(startBytes, new Set([attributesField])),
    field(attributesField, typed),
  ]);
  return Buffer.concat([
    without(actionBytes, new Set([startWorkflowField])),
    field(startWorkflowField, start),
  ]);
}

function originOf(
  kept: Readonly<Record<string, Uint8Array>>,
  rest: Readonly<Record<string, string | undefined>>,
): Origin {
  const data: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(kept)) if (bytes.length > 0) data[name] = base64(bytes);
  for (const [name, text] of Object.entries(rest)) if (text !== undefined) data[name] = text;
  return { door: originDoor, data };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function tooLarge() {
  return badRequest('Blob data size exceeds limit.');
}
