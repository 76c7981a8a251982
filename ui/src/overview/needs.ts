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

export function needsOf(listed: readonly ListedSchedule[]): readonly Need[] {
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
    if (group.length >= many) needs.push(needOfMany(group));
    else needs.push(...group.map(needOfOne));
  }
  return needs.slice(0, mostNeeds);
}

function needOfOne(schedule: ListedSchedule): Need {
  const look = stateOf(schedule) ?? 'failed';
  const text = reasonOf(schedule) ?? '';
  return { look, ids: [schedule.id], title: schedule.id, text, schedule, action: actionOf(look) };
}

function actionOf(look: Look): Need['action'] {
  if (look === 'skippedOverlap') return { text: 'Change policy', to: 'edit' };
  return look === 'failed' ? { text: 'See why', to: 'why' } : { text: 'Look', to: 'schedule' };
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
    case 'noWorker': {
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

/** The usual distance between two slots. */
function gapOf({ slots }: StripAnswer): number | undefined {
  const times = slots.map(({ at }) => Date.parse(at));
  const gaps = times.slice(1).map((at, place) => at - (times[place] ?? at));
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
}

function needOfMany(group: readonly ListedSchedule[]): Need {
  const [first] = group;
  if (first === undefined) throw new Error('a group has members');
  const owner = first.owner === '' ? '' : ` of ${first.owner}`;
  return {
    look: stateOf(first) ?? 'failed',
    ids: group.map(({ id }) => id),
    title: `${group.length} schedules${owner}`,
    text: first.attention.text,
    schedule: first,
    action: {
      text: 'Look',
      to: 'list',
      query: `is:attention${first.owner === '' ? '' : ` owner:${first.owner}`}`,
    },
  };
}

/** `13 of 15 schedules do what they should.` `asking`: workflows that wait for a decision. */
export function ledeOf(
  total: number,
  needy: number,
  asking = 0,
): { readonly well: string; readonly rest: string } {
  if (total === 0) return { well: 'No schedules yet.', rest: '' };
  const all =
    total === 1
      ? 'The one schedule does what it should.'
      : `All ${countText(total)} schedules do what they should.`;
  const well =
    needy === 0 ? all : `${countText(total - needy)} of ${countText(total)} schedules do what they should.`;
  const count = needy + asking;
  if (count === 0) return { well, rest: 'Nothing needs you.' };
  return { well, rest: `${words[count] ?? `${countText(count)} need`} you.` };
}

const words = ['', 'One needs', 'Two need', 'Three need', 'Four need', 'Five need', 'Six need', 'Seven need'];
