/**
 * The rules that decided about a slot, as links of its chain: each says what the rule is, how it is written, and which version of
 * the schedule gave it. Pure.
 */
import { countText } from '../../base/count-text.ts';
import { formatDuration, plainDuration } from '../../base/duration.ts';
import { formatInstant } from '../../base/time.ts';
import { unlimitedWindow } from '../../scheduler/definition.ts';
import { mostOutstanding } from '../../scheduler/policy/capacity.ts';
import type { ChainLink, ChainMaterial } from './chain-link.ts';
import { originOf, originText } from './setting-origin.ts';

type RuleMaterial = Pick<ChainMaterial, 'explanation' | 'definition' | 'versions'>;

const overlapWords: Readonly<Record<string, string>> = {
  skip: 'a slot is dropped while a run is going',
  bufferOne: 'one slot waits, others are dropped',
  bufferAll: 'slots wait in order',
  cancelOther: 'the run before is asked to stop',
  terminateOther: 'the run before is ended',
  allowAll: 'runs may go side by side',
};

export function overlapLink(material: RuleMaterial): ChainLink {
  const { explanation, definition } = material;
  const { setting } = explanation.detail ?? {};
  if (setting !== undefined) return rule(`The operator limits how often it may start.`, setting);
  const policy = explanation.detail?.policy ?? definition?.policy.overlap ?? 'skip';
  const limit = definition?.policy.limit ?? 1;
  const value = limit === 1 ? `overlap: ${policy}` : `overlap: ${policy}, limit: ${limit}`;
  return setBy(material, {
    text: `The overlap policy is ${policy}: ${overlapWords[policy] ?? policy}.`,
    value,
    path: 'policy.overlap',
  });
}

export function windowLink(material: RuleMaterial): ChainLink {
  const { explanation, definition } = material;
  if (explanation.detail?.missed === 'skip') {
    const text = 'The schedule skips what it missed.';
    return setBy(material, { text, value: 'missed: skip', path: 'policy.missed' });
  }
  const window = explanation.detail?.windowMs ?? definition?.policy.catchupWindowMs ?? 0;
  const length = window >= unlimitedWindow ? 'unlimited' : formatDuration(window);
  const text =
    window >= unlimitedWindow
      ? 'A slot may start however late.'
      : `A slot may start at most ${plainDuration(window)} after its time.`;
  return setBy(material, { text, value: `catchup: ${length}`, path: 'policy.catchupWindowMs' });
}

/** How many actions the schedule was given. */
export function limitLink(material: RuleMaterial): ChainLink {
  const actions = material.definition?.remaining ?? null;
  if (actions === null) return rule('Its number of actions is limited.', 'remaining');
  const text = `It may act ${actions === 1 ? 'once' : `${countText(actions)} times`}.`;
  return setBy(material, { text, value: `remaining: ${actions}`, path: 'remaining' });
}

export function missedLink(material: RuleMaterial): ChainLink {
  const missed = material.definition?.policy.missed ?? 'all';
  const kept = missed === 'oldest' ? 'the oldest' : 'the latest';
  const text = `Of the slots that were missed together, ${kept} runs.`;
  return setBy(material, { text, value: `missed: ${missed}`, path: 'policy.missed' });
}

/** How many unfinished runs, or waiting starts, there may be. */
export function fullLink(material: RuleMaterial): ChainLink {
  const { detail } = material.explanation;
  if (detail?.outstanding === undefined)
    return rule('The operator limits how many of its starts may wait.', 'MaxBufferSize');
  const most = material.definition?.policy.outstanding;
  if (most === undefined)
    return rule(`At most ${countText(mostOutstanding)} of its runs may be unfinished.`, 'outstanding');
  const text = `At most ${countText(most)} of its runs may be unfinished.`;
  return setBy(material, { text, value: `outstanding: ${most}`, path: 'policy.outstanding' });
}

/** The exclusion that takes the time out. */
export function excludedLink(material: RuleMaterial): ChainLink {
  const { dates = [], ...others } = material.definition?.spec.exclude ?? {};
  const isOnlyDates = dates.length > 0 && Object.keys(others).length === 0;
  return setBy(material, {
    text: 'An exclusion takes it out.',
    value: isOnlyDates ? `excludeDates: ${shortList(dates)}` : 'exclude',
    path: 'spec.exclude',
  });
}

/** The most values of a list that a line of detail names. */
const mostNamed = 3;

function shortList(values: readonly string[]): string {
  const named = values.slice(0, mostNamed).join(', ');
  return values.length > mostNamed ? `${named} and ${values.length - mostNamed} more` : named;
}

/** The end of its times that the slot lies beyond. */
export function boundLink(material: RuleMaterial): ChainLink {
  const { startAt, endAt } = material.definition?.spec ?? {};
  if (startAt !== undefined && material.explanation.at < startAt)
    return setBy(material, {
      text: `Its times begin at ${formatInstant(startAt)}.`,
      value: `startAt: ${formatInstant(startAt)}`,
      path: 'spec.startAt',
    });
  if (endAt === undefined) return rule('Its times have a beginning or an end.', 'startAt, endAt');
  return setBy(material, {
    text: `Its times end at ${formatInstant(endAt)}.`,
    value: `endAt: ${formatInstant(endAt)}`,
    path: 'spec.endAt',
  });
}

/** How long a run may wait for a worker that knows its handler. */
export function unclaimedLink(material: RuleMaterial): ChainLink {
  const waitedMs = material.explanation.detail?.waitedMs;
  const given = material.definition?.action.settings.unclaimedMs;
  const text = 'A run that no worker takes is given up after a while.';
  if (waitedMs === undefined || given === undefined) return rule(text, 'unclaimedTimeout');
  return setBy(material, {
    text: `A run that no worker takes is given up after ${plainDuration(given)}.`,
    value: `unclaimedTimeout: ${formatDuration(given)}`,
    path: 'action.settings.unclaimedMs',
  });
}

/** How many failures in a row pause the schedule. */
export function failuresLink(material: RuleMaterial): ChainLink {
  const most = material.definition?.policy.pauseAfterFailures ?? 0;
  if (most === 0) return rule('The schedule pauses itself after failures.', 'pauseAfterFailures');
  const text = `The schedule pauses itself after ${most === 1 ? 'a failure' : `${countText(most)} failures in a row`}.`;
  return setBy(material, { text, value: `pauseAfterFailures: ${most}`, path: 'policy.pauseAfterFailures' });
}

export function rule(text: string, detail: string): ChainLink {
  return { type: 'rule', at: null, text, detail, subject: null };
}

interface Setting {
  readonly text: string;
  /** As it is written. */
  readonly value: string;
  /** Where it is stored. */
  readonly path: string;
}

/** A rule of the schedule, with the version that gave it. */
function setBy(
  { explanation: { stamp }, versions }: RuleMaterial,
  { text, value, path }: Setting,
): ChainLink {
  const origin = stamp === null ? undefined : originOf(versions, path, stamp);
  if (origin === undefined) return rule(text, value);
  const subject = { type: 'version', stamp: origin.stamp } as const;
  return { ...rule(text, `${value}, ${originText(origin)}`), subject };
}
