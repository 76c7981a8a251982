/**
 * What the host decides about workflows; it overrules their code. Durations are texts such as `5m`, or milliseconds, where a
 * program gives them, and milliseconds here.
 */
import { pauseAfter } from '../base/backoff.ts';
import type { DurationInput } from '../base/duration.ts';
import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/error.ts';
import { day, minute, second } from '../base/time.ts';

export interface HostSettings {
  /** How long a consumer sleeps that found nothing to do, unless an event or a person wakes it. Default 5 min. */
  readonly sleepTimeoutMs: number;
  /** The earliest that `wakeAt` can wake. Default 30 s. */
  readonly shortestWakeMs: number;
  /** The most time for `handler`, `prepare`, `mutate` and `next` each. Default 300 s. */
  readonly phaseLimitMs: number;
  /** Retries of a run that failed. Default 5. */
  readonly retries: number;
  /** The pause before the first retry, doubled each time. Default 10 s, at most 10 min. */
  readonly retryPauseMs: number;
  readonly longestRetryPauseMs: number;
  /** How often an uncertain change is asked about before a person must decide. Default 5, with the pauses of retries. */
  readonly reconciles: number;
  /** The most time for one question. Default 30 s. */
  readonly reconcileLimitMs: number;
  /** Pending events older than this are shown as stale. Default 7 d. */
  readonly staleAfterMs: number;
  /** Events of a `peek` without a limit. Default 100, at most 1,000. */
  readonly peek: number;
  /** The most characters of JSON of a handler's state. Default 262,144. */
  readonly stateSize: number;
  /** The shortest sleep after a run that found nothing to do but published to its own topic. Default 30 s. */
  readonly selfFedMs: number;
  /** Whether producers are due at once when they are first deployed. Default false: at their first time. */
  readonly runOnDeploy: boolean;
  /** Skipped due times in a row after which a producer is reported as starving. Default 10. */
  readonly starvingAfter: number;
}

export const defaultSettings: HostSettings = {
  sleepTimeoutMs: 5 * minute,
  shortestWakeMs: 30 * second,
  phaseLimitMs: 300 * second,
  retries: 5,
  retryPauseMs: 10 * second,
  longestRetryPauseMs: 10 * minute,
  reconciles: 5,
  reconcileLimitMs: 30 * second,
  staleAfterMs: 7 * day,
  peek: 100,
  stateSize: 262_144,
  selfFedMs: 30 * second,
  runOnDeploy: false,
  starvingAfter: 10,
};

export const mostPeeked = 1000;

/** The settings as a program writes them. */
export interface SettingsInput {
  /** How long a consumer sleeps that found nothing to do, unless an event or a person wakes it. Default 5 min. */
  readonly sleepTimeout?: DurationInput;
  /** The earliest that `wakeAt` can wake. Default 30 s. */
  readonly shortestWake?: DurationInput;
  /** The most time for `handler`, `prepare`, `mutate` and `next` each. Default 300 s. */
  readonly phaseLimit?: DurationInput;
  /** Retries of a run that failed. Default 5. */
  readonly retries?: number;
  /** The pause before the first retry, doubled each time. Default 10 s. */
  readonly retryPause?: DurationInput;
  /** The longest pause between two attempts. Default 10 min. */
  readonly longestRetryPause?: DurationInput;
  /** How often an uncertain change is asked about before a person must decide. Default 5. */
  readonly reconciles?: number;
  /** The most time for one question. Default 30 s. */
  readonly reconcileLimit?: DurationInput;
  /** Pending events older than this are shown as stale. Default 7 d. */
  readonly staleAfter?: DurationInput;
  /** Events of a `peek` without a limit. Default 100, at most 1,000. */
  readonly peek?: number;
  /** The most characters of JSON of a handler's state. Default 262,144. */
  readonly stateSize?: number;
  /** The shortest sleep after a run that found nothing to do but published to its own topic. Default 30 s. */
  readonly selfFed?: DurationInput;
  /** Whether producers are due at once when they are first deployed. Default false: at their first time. */
  readonly runOnDeploy?: boolean;
  /** Skipped due times in a row after which a producer is reported as starving. Default 10. */
  readonly starvingAfter?: number;
}

type Kind = 'duration' | 'count' | 'flag';

/** Which setting each field gives, what it is, and its bounds. */
const fields: Readonly<
  Record<keyof SettingsInput, readonly [to: keyof HostSettings, kind: Kind, least?: number, most?: number]>
> = {
  sleepTimeout: ['sleepTimeoutMs', 'duration', second, 365 * day],
  shortestWake: ['shortestWakeMs', 'duration', 0, day],
  phaseLimit: ['phaseLimitMs', 'duration', 1, 7 * day],
  retries: ['retries', 'count', 0, 1000],
  retryPause: ['retryPauseMs', 'duration', 1, day],
  longestRetryPause: ['longestRetryPauseMs', 'duration', 1, 30 * day],
  reconciles: ['reconciles', 'count', 0, 1000],
  reconcileLimit: ['reconcileLimitMs', 'duration', 1, day],
  staleAfter: ['staleAfterMs', 'duration', 1, 3650 * day],
  peek: ['peek', 'count', 1, mostPeeked],
  stateSize: ['stateSize', 'count', 2, 4_194_304],
  selfFed: ['selfFedMs', 'duration', 0, day],
  runOnDeploy: ['runOnDeploy', 'flag'],
  starvingAfter: ['starvingAfter', 'count', 1, 1_000_000],
};

/** Reads settings over given ones; problems are added to the list, and the setting stays as it was. */
export function readSettings(
  input: SettingsInput,
  over: HostSettings,
  at: { readonly path: string; readonly problems: Problem[] },
): HostSettings {
  const settings: Record<string, number | boolean> = { ...over };
  for (const [name, value] of Object.entries(input)) {
    const path = `${at.path}.${name}`;
    const field = Object.hasOwn(fields, name) ? fields[name as keyof SettingsInput] : undefined;
    if (field === undefined) {
      const fix = `one of ${Object.keys(fields).join(', ')}`;
      at.problems.push({ path, reason: 'UNKNOWN_SETTING', message: `unknown setting '${name}'`, fix });
      continue;
    }
    if (value === undefined) continue;
    const [to, kind, least = 0, most = 0] = field;
    const read = readValue(value, kind);
    if (
      kind === 'flag' ? typeof read === 'boolean' : typeof read === 'number' && read >= least && read <= most
    ) {
      settings[to] = read as number | boolean;
      continue;
    }
    const fix =
      kind === 'flag'
        ? 'true or false'
        : `${kind === 'duration' ? 'a duration' : 'a whole number'} from ${least} to ${most}`;
    at.problems.push({ path, reason: 'BAD_SETTING', message: `invalid value ${JSON.stringify(value)}`, fix });
  }
  return settings as unknown as HostSettings;
}

function readValue(value: unknown, kind: Kind): unknown {
  if (kind === 'duration' && typeof value === 'string') return parseDuration(value);
  return kind !== 'flag' && !Number.isInteger(value) ? undefined : value;
}

/** The pause after the given failure, from 1. */
export function retryPause({ retryPauseMs, longestRetryPauseMs }: HostSettings, failure: number): number {
  return pauseAfter(failure, { firstMs: retryPauseMs, longestMs: longestRetryPauseMs });
}
