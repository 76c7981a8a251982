/** The settings of a schedule in words. Pure. */

import type { ScheduleJson } from 'carillon/client';
import { zoneOfSpec } from 'carillon/spec';
import { specText, wordsWithoutZone } from '../schedules/row.ts';
import { dayText, lengthText } from '../time/text.ts';
import { clockChanges, dayMs } from '../time/zone.ts';
import { clockRuleOf } from './clock-rule.ts';
import { pastedOf } from './pasted.ts';

/** The version, after the creation, that set a field. */
export interface Origin {
  readonly path: string;
  readonly number: number;
  readonly at: string;
  readonly by: string;
}

export interface Policy {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
  readonly from: 'given' | 'default' | Origin;
  /** Whether the setting may surprise a person. */
  readonly isDoubtful?: boolean;
}

/** Bounds that most schedules do not have. */
function bounds(
  outstanding: number | undefined,
  unclaimedMs: number | undefined,
  remaining: number | null,
): readonly Policy[] {
  return [
    ...(outstanding === undefined
      ? []
      : [
          {
            name: 'Unfinished',
            value: `${outstanding} runs`,
            meaning: 'With more unfinished, slots are dropped',
            from: 'given',
          } as const,
        ]),
    ...(unclaimedMs === undefined
      ? []
      : [
          {
            name: 'No worker',
            value: lengthText(unclaimedMs),
            meaning: 'A run that no worker takes for longer is given up',
            from: 'given',
          } as const,
        ]),
    ...(remaining === null
      ? []
      : [
          {
            name: 'Actions left',
            value: String(remaining),
            meaning:
              remaining === 0 ? 'It starts nothing more until it is given more' : 'Each start takes one',
            from: 'given',
            isDoubtful: remaining === 0,
          } as const,
        ]),
  ];
}

/** The stored value of a window without an end. */
const endless = 315_576_000_000_000;

const overlapWords: Readonly<Record<string, string>> = {
  skip: 'A slot is dropped while a run is going',
  bufferOne: 'One slot waits for the run before it; others are dropped',
  bufferAll: 'All slots wait for the run before them, in order',
  cancelOther: 'The run before is asked to stop, then the slot starts',
  terminateOther: 'The run before is stopped at once, then the slot starts',
  allowAll: 'A slot starts beside runs that are still going',
};

const missedWords: Readonly<Record<string, string>> = {
  all: 'every missed slot within it runs',
  latest: 'one run for all slots missed within it, the latest',
  oldest: 'one run for all slots missed within it, the oldest',
  skip: 'no missed slot runs',
};

type Given = Readonly<Record<string, unknown>>;

/** The paths of each setting in the definition. */
const paths: Readonly<Record<string, RegExp>> = {
  When: /^spec(?!\.(zone|dst))/,
  Zone: /^spec\.zone/,
  'Gap, fold': /^spec\.dst/,
  Overlap: /^policy\.(overlap|limit)/,
  'Catch-up': /^policy\.(catchupWindowMs|missed)/,
  Retry: /^action\.settings\.retry/,
  'Pause after': /^policy\.pauseAfterFailures/,
  Unfinished: /^policy\.outstanding/,
  'No worker': /^action\.settings\.unclaimedMs/,
  'Actions left': /^remaining/,
  Timeout: /^action\.settings\.(executionTimeoutMs|attemptTimeoutMs)/,
};

/** Every setting in force; one that was changed after the creation names the version that did. */
export function policiesOf(
  schedule: ScheduleJson,
  definition: Given | undefined,
  now: number,
  origins: readonly Origin[] = [],
): readonly Policy[] {
  return inForce(schedule, definition, now).map((policy) => {
    const [origin] = origins
      .filter(({ path }) => paths[policy.name]?.test(path))
      .sort((a, b) => b.number - a.number);
    return origin === undefined ? policy : { ...policy, from: origin };
  });
}

function inForce(schedule: ScheduleJson, definition: Given | undefined, now: number): readonly Policy[] {
  const { spec, policy, action, timeZoneVersion, failures, remaining } = schedule;
  const zone = zoneOfSpec(spec);
  // The server returns every field; a field with its default value is shown as the default.
  const own = pastedOf(definition ?? {});
  const has = (...names: string[]) => (names.some((name) => own[name] !== undefined) ? 'given' : 'default');
  const changes = changesText(zone, now);
  const { retry, attemptTimeoutMs, executionTimeoutMs, unclaimedMs } = action.settings;
  const attempts = retry?.attempts ?? 1;
  const timeout = executionTimeoutMs ?? attemptTimeoutMs;
  return [
    {
      name: 'When',
      value: specText(spec),
      meaning: wordsWithoutZone(schedule.words, zone),
      from: 'given',
    },
    {
      name: 'Zone',
      value: zone,
      meaning: `tz ${timeZoneVersion}; ${changes}`,
      from: spec.zone === undefined && zone === 'UTC' ? 'default' : 'given',
    },
    {
      name: 'Gap, fold',
      ...clockRuleOf(spec, changes !== unchanging),
      from: spec.dst === undefined ? 'default' : 'given',
    },
    {
      name: 'Overlap',
      value: policy.limit > 1 ? `${policy.overlap}, limit ${policy.limit}` : policy.overlap,
      meaning:
        policy.limit > 1
          ? `Up to ${policy.limit} runs at once; then: ${(overlapWords[policy.overlap] ?? '').toLowerCase()}`
          : (overlapWords[policy.overlap] ?? policy.overlap),
      from: has('overlap', 'limit'),
    },
    {
      name: 'Catch-up',
      value: `${windowText(policy.catchupWindowMs)}, ${policy.missed}`,
      meaning:
        policy.catchupWindowMs === 0
          ? 'A slot that is noticed late does not run'
          : `A slot may start ${policy.catchupWindowMs >= endless ? 'however' : windowText(policy.catchupWindowMs)} late; ${missedWords[policy.missed] ?? policy.missed}`,
      from: has('catchup', 'missed'),
    },
    {
      name: 'Retry',
      value: attempts === 1 ? 'none' : `${attempts} attempts${pauseText(retry)}`,
      meaning: attempts === 1 ? 'A run that fails has failed' : `Then the run has failed`,
      from: has('retry'),
    },
    {
      name: 'Pause after',
      value: policy.pauseAfterFailures === 0 ? 'never' : `${policy.pauseAfterFailures} failures`,
      meaning:
        policy.pauseAfterFailures === 0 ? 'It goes on however often it fails' : `${failures} in a row so far`,
      from: has('pauseAfterFailures'),
    },
    {
      name: 'Timeout',
      value: timeout === undefined ? 'none' : lengthText(timeout),
      meaning:
        timeout === undefined
          ? policy.overlap === 'skip'
            ? 'A run that hangs holds up every slot after it'
            : 'A run may take as long as it likes'
          : 'A run that takes longer is ended',
      from: has('timeout', 'attemptTimeout'),
      ...(timeout === undefined && policy.overlap === 'skip' ? { isDoubtful: true } : {}),
    },
    ...bounds(policy.outstanding, unclaimedMs, remaining),
  ];
}

/** True also of a zone whose clock was changed before, or will be later. */
const unchanging = 'no clock change in the coming year';

/** The next two changes of the clock. */
function changesText(zone: string, now: number): string {
  const days = clockChanges(zone, now, now + 400 * dayMs).map(({ at }) =>
    dayText(zone, at).replace(/^\w+ /, ''),
  );
  return days.length === 0 ? unchanging : `clock changes ${days.slice(0, 2).join(' and ')}`;
}

function pauseText(
  retry: { readonly initialMs?: number; readonly coefficient?: number; readonly maxMs?: number } | undefined,
): string {
  const { initialMs, coefficient = 2, maxMs } = retry ?? {};
  if (initialMs === undefined) return '';
  // The maximum limits the first wait too, so all waits are equal.
  if (maxMs !== undefined && maxMs <= initialMs) return `, ${lengthText(maxMs)}`;
  if (coefficient === 1) return `, ${lengthText(initialMs)}`;
  return `, ${lengthText(initialMs)} ×${coefficient}${maxMs === undefined ? '' : `, at most ${lengthText(maxMs)}`}`;
}

function windowText(ms: number): string {
  return ms >= endless ? 'unlimited' : lengthText(ms);
}
