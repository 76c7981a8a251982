/**
 * Decides whether a client sent a part of a schedule back as it was described. Clients drop fields that they do not model (Go
 * and TypeScript read no cron strings) and add or omit defaults, so messages are compared by meaning.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ScheduleDefinition } from 'carillon/internal/service';
import { readArguments } from './payload.ts';
import { durationMs } from './proto-time.ts';
import type { Duration, Spec, WorkflowStart } from './protocol.ts';
import { comparableSpec } from './spec-message.ts';

/** A spec as received, before reading it changed the message. */
export interface Sent {
  readonly comparable: object;
  readonly texts: readonly string[];
}

/** The shown cron strings may contain texts that are not Temporal cron; a client returns all cron strings or none. */
export function isSameSpec({ comparable, texts }: Sent, shown: Spec): boolean {
  if (texts.length > 0 && !isDeepStrictEqual(texts, shown.cronString ?? [])) return false;
  return isDeepStrictEqual(comparable, comparableSpec(shown));
}

/** The parts of a stored spec that Temporal cannot express. */
export function inexpressibleTimes({ spec }: ScheduleDefinition, shown: Spec): readonly string[] {
  const { rrules = [] } = spec;
  const rules = new Set(rrules.map(({ text }) => text));
  const crons = (shown.cronString ?? []).filter((text) => !rules.has(text));
  return [
    ...rrules.map(({ text }) => `the recurrence rule ${JSON.stringify(text)}`),
    ...crons.map((text) => `the cron ${JSON.stringify(text)}`),
  ];
}

export function isSameStart(given: WorkflowStart, shown: WorkflowStart): boolean {
  return isDeepStrictEqual(comparableStart(given), comparableStart(shown));
}

/** Removes empty messages, zero durations and enum defaults, which mean the same as absence. */
function comparableStart(start: WorkflowStart): object {
  const { retryPolicy, priority } = start;
  return {
    workflowId: start.workflowId ?? '',
    type: start.workflowType?.name ?? '',
    queue: start.taskQueue?.name ?? '',
    input: readArguments(start.input?.payloads),
    timeouts: [start.workflowExecutionTimeout, start.workflowRunTimeout, start.workflowTaskTimeout].map(
      milliseconds,
    ),
    retry:
      retryPolicy === null || retryPolicy === undefined
        ? null
        : {
            attempts: retryPolicy.maximumAttempts ?? 0,
            coefficient: retryPolicy.backoffCoefficient || 2,
            initial: milliseconds(retryPolicy.initialInterval),
            longest: milliseconds(retryPolicy.maximumInterval),
            fatal: retryPolicy.nonRetryableErrorTypes ?? [],
          },
    priority: [priority?.priorityKey ?? 0, priority?.fairnessKey ?? '', priority?.fairnessWeight ?? 0],
    memo: Object.keys(start.memo?.fields ?? {}),
    attributes: Object.keys(start.searchAttributes?.indexedFields ?? {}),
    headers: Object.keys(start.header?.fields ?? {}),
    metadata: [start.userMetadata?.summary, start.userMetadata?.details].map((each) =>
      Buffer.from(each?.data ?? new Uint8Array())
        .toString('utf8')
        .replace(/^""$/, ''),
    ),
    reuse: (start.workflowIdReusePolicy ?? 0) <= 1,
    cron: start.cronSchedule ?? '',
  };
}

function milliseconds(duration: Duration | null | undefined): number {
  return duration === null || duration === undefined ? 0 : (durationMs(duration) ?? 0);
}
