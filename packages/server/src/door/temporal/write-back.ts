/**
 * Whether a client sent an aspect of a schedule back as it was described. Clients drop what they do not model (Go and
 * TypeScript read no cron strings) and write defaults out or leave them out, so messages are compared by meaning.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ScheduleDefinition } from 'carillon/internal/service';
import { readArguments } from './payload.ts';
import { durationMs } from './proto-time.ts';
import type { Duration, Spec, WorkflowStart } from './protocol.ts';
import { comparableSpec } from './spec-message.ts';

/** A spec as it came, before reading it changed the message. */
export interface Sent {
  readonly comparable: object;
  readonly texts: readonly string[];
}

/** What is shown may have texts among its cron strings that are no cron of Temporal's; a client returns all of them or none. */
export function isSameSpec({ comparable, texts }: Sent, shown: Spec): boolean {
  if (texts.length > 0 && !isDeepStrictEqual(texts, shown.cronString ?? [])) return false;
  return isDeepStrictEqual(comparable, comparableSpec(shown));
}

/** What of a stored spec Temporal has no words for. */
export function unsayableTimes({ spec }: ScheduleDefinition, shown: Spec): readonly string[] {
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

/** Empty messages, zero durations and defaults of enumerations mean the same as absence. */
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
