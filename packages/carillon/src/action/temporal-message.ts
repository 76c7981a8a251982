/** Messages of a Temporal cluster: the request of a start, and what its answers mean. */
import { readDuration } from '../base/duration.ts';
import { given } from '../base/given.ts';
import { formatInstant } from '../base/time.ts';
import type { RunContext } from '../runs/context.ts';
import type { Failure } from '../runs/failure.ts';
import { ActionFailed } from './action-failed.ts';
import type { TemporalWork } from './temporal-action.ts';
import type { PayloadMessage } from './temporal-payload.ts';
import { payloadOf, payloadValue } from './temporal-payload.ts';

const rejectDuplicate = 3;
const allowDuplicate = 1;
const pinned = 1;
const toTheSecond = '2026-01-01T00:00:00'.length;

/** Ids are derived from the slot: the same for every attempt, another for every slot. */
export function startRequest(context: RunContext<TemporalWork>, namespace: string) {
  const { input, id, cause, workflowId, schedule, scheduledAt, lastResult, lastFailure } = context;
  const isManual = cause !== null && cause !== 'auto';
  const provenance =
    schedule === null
      ? {}
      : {
          TemporalScheduledById: payloadOf(schedule),
          TemporalScheduledStartTime: payloadOf(formatInstant(scheduledAt)),
        };
  return {
    namespace,
    workflowId: workflowId ?? id,
    workflowType: { name: input.workflowType },
    taskQueue: { name: input.taskQueue, kind: 1 },
    identity: 'carillon',
    requestId: requestIdOf(context),
    workflowIdReusePolicy: isManual || !hasOwnId(context) ? allowDuplicate : rejectDuplicate,
    ...(input.sent === undefined ? saidFields(input, provenance) : sentFields(input.sent, provenance)),
    ...(lastResult === null ? {} : { lastCompletionResult: { payloads: [payloadOf(lastResult)] } }),
    ...(lastFailure === null ? {} : { continuedFailure: failureMessage(lastFailure) }),
  };
}

export function requestIdOf({ namespace, id }: Pick<RunContext, 'namespace' | 'id'>): string {
  return `carillon-${namespace}-${id}`;
}

const isOpen = 1;
/** A workflow id that belongs to one slot ends with its time. */
const dated = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z(?:-\w+)?$/;

/** The run id of the open workflow that a description shows, if our request started it. */
export function openRunOf(
  description: Readonly<Record<string, unknown>>,
  { requestId, workflowId }: { readonly requestId: string; readonly workflowId: string },
): string | undefined {
  const { workflowExecutionInfo: info, workflowExtendedInfo: extended } = description as {
    readonly workflowExecutionInfo?: {
      readonly status?: number;
      readonly firstRunId?: string;
      readonly execution?: { readonly runId?: string } | null;
    } | null;
    readonly workflowExtendedInfo?: {
      readonly requestIdInfos?: Readonly<Record<string, unknown>> | null;
    } | null;
  };
  const requests = extended?.requestIdInfos ?? {};
  // Servers before 1.27 do not tell the ids of requests.
  const isKnown =
    Object.keys(requests).length > 0 ? Object.hasOwn(requests, requestId) : dated.test(workflowId);
  if (info?.status !== isOpen || !isKnown) return undefined;
  return info.firstRunId || (info.execution?.runId ?? '');
}

type Payloads = Readonly<Record<string, PayloadMessage>>;

/** What the fields of a schedule say of its workflows. */
function saidFields(input: TemporalWork, provenance: Payloads) {
  const args = input.args ?? (input.input === undefined || input.input === null ? [] : [input.input]);
  const { executionTimeout, runTimeout, taskTimeout, retryPolicy } = input;
  return {
    input: { payloads: args.map(payloadOf) },
    memo: fieldsOf(input.memo),
    header: fieldsOf(input.headers),
    searchAttributes: { indexedFields: { ...payloads(input.searchAttributes), ...provenance } },
    ...timeout('workflowExecutionTimeout', executionTimeout),
    ...timeout('workflowRunTimeout', runTimeout),
    ...timeout('workflowTaskTimeout', taskTimeout),
    ...(retryPolicy === undefined
      ? {}
      : {
          retryPolicy: {
            ...retryPolicy,
            ...timeout('initialInterval', retryPolicy.initialInterval),
            ...timeout('maximumInterval', retryPolicy.maximumInterval),
          },
        }),
    ...about(input),
  };
}

/** What a Temporal client sent, in the bytes in which it came: encoders write the fields of `$unknowns` as they are. */
function sentFields(
  { fields, searchAttributes }: NonNullable<TemporalWork['sent']>,
  provenance: Payloads,
): object {
  return {
    $unknowns: [Buffer.from(fields, 'base64')],
    searchAttributes: {
      indexedFields: provenance,
      $unknowns: [Buffer.from(searchAttributes, 'base64')],
    },
  };
}

/** Whether the workflow id belongs to this slot alone. A schedule can keep one id for all its workflows. */
export function hasOwnId({ workflowId, scheduledAt }: RunContext<TemporalWork>): boolean {
  return workflowId === null || workflowId.includes(formatInstant(scheduledAt).slice(0, toTheSecond));
}

/** What the cluster needs to choose workers and to show the workflow. */
function about({
  priorityKey,
  fairnessKey,
  fairnessWeight,
  summary,
  details,
  versioningOverride,
}: TemporalWork) {
  const priority = given({ priorityKey, fairnessKey, fairnessWeight });
  const userMetadata = payloads(given({ summary, details }));
  return given({
    priority: hasFields(priority) ? priority : undefined,
    userMetadata: hasFields(userMetadata) ? userMetadata : undefined,
    versioningOverride:
      versioningOverride === 'AUTO_UPGRADE'
        ? { autoUpgrade: true }
        : versioningOverride && { pinned: { behavior: pinned, version: versioningOverride.pinnedTo } },
  });
}

function hasFields(message: object): boolean {
  return Object.keys(message).length > 0;
}

function payloads(values: Readonly<Record<string, unknown>> | undefined) {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, payloadOf(value)]));
}

function fieldsOf(values: Readonly<Record<string, unknown>> | undefined) {
  return { fields: payloads(values) };
}

function timeout(name: string, length: string | number | undefined): object {
  if (length === undefined) return {};
  const milliseconds = readDuration(length);
  return { [name]: { seconds: Math.floor(milliseconds / 1000), nanos: (milliseconds % 1000) * 1_000_000 } };
}

function failureMessage({ message, type, stack, nonRetryable }: Failure) {
  return {
    message,
    source: 'Carillon',
    stackTrace: stack ?? '',
    applicationFailureInfo: { type: type ?? '', nonRetryable: nonRetryable === true },
  };
}

export interface ClusterStatus {
  readonly name: string;
  readonly message: string;
  /** Whether asking again cannot help. */
  readonly isFinal: boolean;
  /** The run in the way, when the id is in use. */
  readonly runId: string;
  /** The bytes of the error's details. */
  readonly details: Buffer;
}

/** Names by number, as far as they matter here. */
const statusNames: Readonly<Record<number, string>> = {
  1: 'CANCELLED',
  3: 'INVALID_ARGUMENT',
  5: 'NOT_FOUND',
  6: 'ALREADY_EXISTS',
  9: 'FAILED_PRECONDITION',
  12: 'UNIMPLEMENTED',
};
const finalNames: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'FAILED_PRECONDITION',
  'UNIMPLEMENTED',
]);

export function statusOf(error: unknown): ClusterStatus {
  const { code, details, message, metadata } = error as {
    readonly code?: number;
    readonly details?: string;
    readonly message?: string;
    readonly metadata?: { get(name: string): readonly Buffer[] };
  };
  const name = statusNames[code ?? -1] ?? 'UNAVAILABLE';
  const bytes = metadata?.get?.('grpc-status-details-bin')?.[0] ?? Buffer.alloc(0);
  const text = bytes.toString('latin1');
  const [runId = ''] =
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text.slice(text.lastIndexOf('Failure'))) ?? [];
  return {
    name,
    message: details ?? message ?? String(error),
    isFinal: finalNames.has(name),
    runId,
    details: bytes,
  };
}

/** Whether the workflow in the way was started by this very request: its answer was lost. */
export function isOurs({ details }: ClusterStatus, requestId: string): boolean {
  return details.includes(requestId);
}

interface WirePayloads {
  readonly payloads?: readonly PayloadMessage[] | null;
}

interface WireFailure {
  readonly message?: string | null;
  readonly cause?: WireFailure | null;
  readonly applicationFailureInfo?: {
    readonly type?: string | null;
    readonly details?: WirePayloads | null;
  } | null;
}

export type Closing =
  | { readonly kind: 'open' }
  | { readonly kind: 'continued'; readonly runId: string }
  /** `result` returns the result, or throws how the workflow failed. */
  | { readonly kind: 'ended'; readonly result: () => unknown };

/** What a history of closing events says. */
export function closingOf(answer: Readonly<Record<string, unknown>>): Closing {
  const { history } = answer as {
    readonly history?: { readonly events?: readonly Record<string, never>[] | null } | null;
  };
  const event = history?.events?.at(-1) as Readonly<Record<string, unknown>> | undefined;
  if (event === undefined) return { kind: 'open' };
  const completed = event.workflowExecutionCompletedEventAttributes as
    | { readonly result?: WirePayloads | null; readonly newExecutionRunId?: string }
    | null
    | undefined;
  const failed = event.workflowExecutionFailedEventAttributes as
    | { readonly failure?: WireFailure | null; readonly newExecutionRunId?: string }
    | null
    | undefined;
  const timedOut = event.workflowExecutionTimedOutEventAttributes as
    | { readonly newExecutionRunId?: string }
    | null
    | undefined;
  const continued = event.workflowExecutionContinuedAsNewEventAttributes as
    | { readonly newExecutionRunId?: string }
    | null
    | undefined;
  const terminated = event.workflowExecutionTerminatedEventAttributes as
    | { readonly reason?: string }
    | null
    | undefined;
  const next = (continued ?? completed ?? failed ?? timedOut)?.newExecutionRunId ?? '';
  if (next !== '') return { kind: 'continued', runId: next };
  if (completed) return { kind: 'ended', result: () => readValue(completed.result) };
  if (failed) return { kind: 'ended', result: () => fail(failed.failure ?? {}) };
  if (terminated)
    return ended('WorkflowTerminated', `the workflow was terminated: ${terminated.reason ?? ''}`);
  if (timedOut) return ended('WorkflowTimedOut', 'the workflow timed out');
  if (event.workflowExecutionCanceledEventAttributes)
    return ended('WorkflowCancelled', 'the workflow was cancelled');
  return { kind: 'open' };
}

function ended(type: string, message: string): Closing {
  return {
    kind: 'ended',
    result: () => {
      throw new ActionFailed({ type, message, nonRetryable: true });
    },
  };
}

function fail({ message, cause, applicationFailureInfo: info }: WireFailure): never {
  const details = readValue(info?.details);
  throw new ActionFailed({
    message: message ?? cause?.message ?? 'the workflow failed',
    type: info?.type || 'WorkflowFailed',
    // The cluster has made all attempts already.
    nonRetryable: true,
    ...(details === null ? {} : { details }),
  });
}

/** One payload becomes its value, several become a list. */
function readValue(given: WirePayloads | null | undefined): unknown {
  const values = (given?.payloads ?? []).map((payload) => payloadValue(payload).value);
  return values.length > 1 ? values : (values[0] ?? null);
}
