/** What needs a person: the worst first, and one line where one cause has many. Pure. */
import type { ListedSchedule } from '../schedules/row.ts';
import { reasonOf, stateOf } from '../schedules/row.ts';
import type { StripAnswer } from '../strip/strip.ts';
import { lookOfSlot, placesOf } from '../strip/strip.ts';
import { countText, lengthText, plural } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';

export interface Need {
  readonly look: Look;
  readonly ids: readonly string[];
  readonly title: string;
  readonly text: string;
  readonly schedule: ListedSchedule;
  readonly action: {
    readonly text: string;
    readonly to: 'schedule' | 'edit' | 'list' | 'why';
    readonly query?: string;
  };
}

export const mostNeeds = 7;

/** From this many on, schedules of one owner with one reason are one line. */
const many = 4;

/** `isCut`: there are more than were listed, so counts are at least so high. */
export function needsOf(listed: readonly ListedSchedule[], isCut = false): readonly Need[] {
  const needy = listed.filter((schedule) => {
    const look = stateOf(schedule);
    return look !== undefined && look !== 'running' && look !== 'paused';
  });
  const groups = new Map<string, ListedSchedule[]>();
  for (const schedule of needy) {
    const key = `${stateOf(schedule)} ${schedule.owner}`;
    groups.set(key, [...(groups.get(key) ?? []), schedule]);
  }
  const needs: Need[] = [];
  for (const group of groups.values()) {
    if (group.length >= many) needs.push(needOfMany(group, isCut));
    else needs.push(...group.map(needOfOne));
  }
  return needs.slice(0, mostNeeds);
}

function needOfOne(schedule: ListedSchedule): Need {
  const look = stateOf(schedule) ?? 'failed';
  const text = reasonOf(schedule) ?? '';
  return { look, ids: [schedule.id], title: schedule.id, text, schedule, action: actionOf(look) };
}

export const justLook: Need['action'] = { text: 'Look', to: 'schedule' };

function actionOf(look: Look): Need['action'] {
  if (look === 'skippedOverlap') return { text: 'Change policy', to: 'edit' };
  return look === 'failed' ? { text: 'See why', to: 'why' } : justLook;
}

/** What is known about the cause beyond the reason, from the last slots; empty when nothing is. */
export function evidenceOf({ look, ids, schedule }: Need, now: number): string {
  const { strip } = schedule;
  if (ids.length > 1)
    return ids.length > 4 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ');
  if (strip === undefined) return '';
  const first = firstOfLast(strip, look);
  const since = first === undefined ? '' : lengthText(now - Date.parse(first.at));
  switch (look) {
    case 'failed':
      return since === '' ? '' : `for ${since}`;
    case 'untaken': {
      const behind = placesOf(strip).filter((place) => place.look === 'skippedOverlap').length;
      return behind === 0 ? '' : `${plural(behind, 'slot')} skipped behind it`;
    }
    case 'skippedOverlap': {
      const every = gapOf(strip);
      if (strip.p95Ms === null || every === undefined) return '';
      return `Runs take ${lengthText(strip.p95Ms)} (p95), slots come every ${lengthText(every)}`;
    }
    default:
      return '';
  }
}

/** The oldest of the newest slots that look the same. */
function firstOfLast({ slots }: StripAnswer, look: Look): StripAnswer['slots'][number] | undefined {
  const other = slots.findLastIndex((slot) => lookOfSlot(slot) !== look);
  return slots[other + 1];
}

/** The usual distance between two slots of the spec. One answer may stand for a stretch of slots, and names the last of them. */
export function gapOf({ slots }: Pick<StripAnswer, 'slots'>): number | undefined {
  const own = slots.filter(({ cause }) => cause === undefined);
  const gaps = own.slice(1).flatMap(({ at, count = 1 }, place) => {
    const each = (Date.parse(at) - Date.parse(own[place]?.at ?? at)) / count;
    return Array.from({ length: count }, () => each);
  });
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
}

function needOfMany(group: readonly ListedSchedule[], isCut: boolean): Need {
  const [first] = group;
  if (first === undefined) throw new Error('a group has members');
  const owner = first.owner === '' ? '' : ` of ${first.owner}`;
  return {
    look: stateOf(first) ?? 'failed',
    ids: group.map(({ id }) => id),
    title: `${isCut ? 'At least ' : ''}${group.length} schedules${owner}`,
    text: factsOf(stateOf(first) ?? 'failed', group),
    schedule: first,
    action: {
      text: 'Look',
      to: 'list',
      query: `is:attention${first.owner === '' ? '' : ` owner:${first.owner}`}`,
    },
  };
}

/** What is true of all of them: `fail, 2 to 14 times in a row`. */
function factsOf(look: Look, group: readonly ListedSchedule[]): string {
  switch (look) {
    case 'failed':
      return failuresText(group.map(({ failures }) => failures));
    case 'untaken': {
      const reasons = new Set(group.map(({ attention }) => attention.text));
      const [reason = ''] = reasons;
      return reasons.size === 1 ? `wait: ${reason}` : 'wait for workers that know their handlers';
    }
    case 'overdue':
      return 'are overdue, without a verdict';
    case 'skippedOverlap':
      return 'skip slots, because the run before is still going';
    case 'buffered':
      return 'have starts that wait for their turn';
    case 'quarantined':
      return 'are in quarantine';
    default:
      return 'need a person';
  }
}

function failuresText(failures: readonly number[]): string {
  const [least, most] = [Math.min(...failures), Math.max(...failures)];
  if (most === 1) return 'failed in their last run';
  const times = least === most ? countText(most) : `${countText(least)} to ${countText(most)}`;
  return `fail, ${times} times in a row`;
}

/** `13 of 15 schedules do what they should.` `asking`: workflows that wait for a decision. */
export function ledeOf(
  total: number,
  needy: number,
  asking = 0,
): { readonly well: string; readonly rest: string } {
  if (total === 0 && asking > 0)
    return {
      well: 'No schedules yet.',
      rest: asking === 1 ? 'One workflow needs you.' : `${plural(asking, 'workflow')} need you.`,
    };
  if (total === 0) return { well: 'No schedules yet.', rest: '' };
  const all =
    total === 1
      ? 'The one schedule does what it should.'
      : `All ${countText(total)} schedules do what they should.`;
  const well =
    needy === 0 ? all : `${countText(total - needy)} of ${countText(total)} schedules do what they should.`;
  const waiting = asking === 0 ? '' : plural(asking, 'workflow');
  if (needy === 0) {
    if (asking === 0) return { well, rest: 'Nothing needs you.' };
    return { well, rest: `${asking === 1 ? 'One workflow needs' : `${waiting} need`} you.` };
  }
  const rest = `${words[needy] ?? `${countText(needy)} need`} you`;
  return {
    well,
    rest: asking === 0 ? `${rest}.` : `${rest}, and ${asking === 1 ? 'one workflow' : waiting}.`,
  };
}

const words = ['', 'One needs', 'Two need', 'Three need', 'Four need', 'Five need', 'Six need', 'Seven need'];
