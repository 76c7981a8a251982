/**
 * The parts of Temporal's messages that an import reads, as the official client decodes them: times and durations are
 * `{ seconds, nanos }`, 64-bit numbers are objects that print themselves, absent fields are null or undefined.
 */
import type { PayloadMessage } from '../action/temporal-payload.ts';
import { base64 } from '../base/base64.ts';
import type { Instant } from '../base/time.ts';
import { instant } from '../base/time.ts';
import type { TemporalSpec, TemporalStructuredCalendar } from '../spec/index.ts';

/** Absent fields are null or undefined. */
export type Maybe<T> = T | null | undefined;
/** A 64-bit number: the official client decodes it into an object that prints itself. */
export type LongMessage = number | { toString(): string };

/** A time or a duration. */
export interface SecondsMessage {
  readonly seconds?: Maybe<LongMessage>;
  readonly nanos?: Maybe<number>;
}

/** Payloads by name. */
export type PayloadFields = Maybe<Readonly<Record<string, PayloadMessage>>>;

/** When a schedule acts. */
export interface SpecMessage {
  readonly structuredCalendar?: Maybe<readonly TemporalStructuredCalendar[]>;
  readonly excludeStructuredCalendar?: Maybe<readonly TemporalStructuredCalendar[]>;
  readonly cronString?: Maybe<readonly string[]>;
  readonly interval?: Maybe<
    readonly { readonly interval?: Maybe<SecondsMessage>; readonly phase?: Maybe<SecondsMessage> }[]
  >;
  readonly startTime?: Maybe<SecondsMessage>;
  readonly endTime?: Maybe<SecondsMessage>;
  readonly jitter?: Maybe<SecondsMessage>;
  readonly timezoneName?: Maybe<string>;
  readonly timezoneData?: Maybe<Uint8Array>;
}

/** The workflow that a schedule starts. */
export interface StartMessage {
  readonly workflowId?: Maybe<string>;
  readonly workflowType?: Maybe<{ readonly name?: Maybe<string> }>;
  readonly taskQueue?: Maybe<{ readonly name?: Maybe<string> }>;
  readonly input?: Maybe<{ readonly payloads?: Maybe<readonly PayloadMessage[]> }>;
  readonly workflowExecutionTimeout?: Maybe<SecondsMessage>;
  readonly workflowRunTimeout?: Maybe<SecondsMessage>;
  readonly workflowTaskTimeout?: Maybe<SecondsMessage>;
  readonly retryPolicy?: Maybe<{
    readonly initialInterval?: Maybe<SecondsMessage>;
    readonly maximumInterval?: Maybe<SecondsMessage>;
    readonly backoffCoefficient?: Maybe<number>;
    readonly maximumAttempts?: Maybe<number>;
    readonly nonRetryableErrorTypes?: Maybe<readonly string[]>;
  }>;
  readonly memo?: Maybe<{ readonly fields?: PayloadFields }>;
  readonly searchAttributes?: Maybe<{ readonly indexedFields?: PayloadFields }>;
  readonly header?: Maybe<{ readonly fields?: PayloadFields }>;
  readonly userMetadata?: Maybe<{
    readonly summary?: Maybe<PayloadMessage>;
    readonly details?: Maybe<PayloadMessage>;
  }>;
  readonly priority?: Maybe<{
    readonly priorityKey?: Maybe<number>;
    readonly fairnessKey?: Maybe<string>;
    readonly fairnessWeight?: Maybe<number>;
  }>;
  readonly versioningOverride?: Maybe<{
    readonly autoUpgrade?: Maybe<boolean>;
    readonly pinned?: Maybe<{
      readonly version?: Maybe<{
        readonly deploymentName?: Maybe<string>;
        readonly buildId?: Maybe<string>;
      }>;
    }>;
  }>;
}

/** What DescribeSchedule answers. */
export interface DescriptionMessage {
  readonly schedule?: Maybe<{
    readonly spec?: Maybe<SpecMessage>;
    readonly action?: Maybe<{ readonly startWorkflow?: Maybe<StartMessage> }>;
    readonly policies?: Maybe<{
      readonly overlapPolicy?: Maybe<number>;
      readonly catchupWindow?: Maybe<SecondsMessage>;
      readonly pauseOnFailure?: Maybe<boolean>;
      readonly keepOriginalWorkflowId?: Maybe<boolean>;
    }>;
    readonly state?: Maybe<{
      readonly notes?: Maybe<string>;
      readonly paused?: Maybe<boolean>;
      readonly limitedActions?: Maybe<boolean>;
      readonly remainingActions?: Maybe<LongMessage>;
    }>;
  }>;
  readonly info?: Maybe<{
    readonly runningWorkflows?: Maybe<readonly object[]>;
    readonly bufferSize?: Maybe<LongMessage>;
  }>;
  readonly memo?: Maybe<{ readonly fields?: PayloadFields }>;
  readonly searchAttributes?: Maybe<{ readonly indexedFields?: PayloadFields }>;
}

export function numberOf(value: Maybe<LongMessage>): number {
  return value === null || value === undefined ? 0 : Number(value.toString());
}

/** Milliseconds, or undefined for an absent or zero duration. */
export function lengthOf(duration: Maybe<SecondsMessage>): number | undefined {
  const milliseconds = numberOf(duration?.seconds) * 1000 + Math.trunc((duration?.nanos ?? 0) / 1_000_000);
  return milliseconds === 0 ? undefined : milliseconds;
}

export function timeOf({ seconds, nanos }: SecondsMessage): Instant {
  return instant(numberOf(seconds) * 1000 + Math.trunc((nanos ?? 0) / 1_000_000));
}

/** The spec as proto JSON. Describe answers canonical specs: no cron strings and no calendars of texts. */
export function specOf(message: SpecMessage): TemporalSpec {
  const { structuredCalendar, excludeStructuredCalendar, interval, startTime, endTime, jitter } = message;
  const duration = ({ seconds, nanos }: SecondsMessage) =>
    `${numberOf(seconds)}.${String(nanos ?? 0).padStart(9, '0')}s`;
  const stamp = (at: SecondsMessage) =>
    new Date(numberOf(at.seconds) * 1000)
      .toISOString()
      .replace('.000Z', `.${String(at.nanos ?? 0).padStart(9, '0')}Z`);
  return {
    structuredCalendar: structuredCalendar ?? [],
    excludeStructuredCalendar: excludeStructuredCalendar ?? [],
    interval: (interval ?? []).map(({ interval: every, phase }) => ({
      ...(isPresent(every) ? { interval: duration(every) } : {}),
      ...(isPresent(phase) ? { phase: duration(phase) } : {}),
    })),
    ...(isPresent(startTime) ? { startTime: stamp(startTime) } : {}),
    ...(isPresent(endTime) ? { endTime: stamp(endTime) } : {}),
    ...(isPresent(jitter) ? { jitter: duration(jitter) } : {}),
    ...(isPresent(message.timezoneName) && message.timezoneName !== ''
      ? { timezoneName: message.timezoneName }
      : {}),
    ...(isPresent(message.timezoneData) && message.timezoneData.length > 0
      ? { timezoneData: base64(message.timezoneData) }
      : {}),
  };
}

function isPresent<T>(value: Maybe<T>): value is T {
  return value !== null && value !== undefined;
}
