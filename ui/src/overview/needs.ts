/** What needs a person: the worst first, and one line where one cause has many. Pure. */
import type { ListedSchedule } from '../schedules/row.ts';
import { stateOf } from '../schedules/row.ts';
import { countText } from '../time/text.ts';
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

/** The schedules that the list is about: as many as the sentence above it counts. */
export function needyOf(needs: readonly Need[], counted: number): number {
  // The server counts what a listing knows; that slots are skipped again and again is seen in the strips.
  const skipping = needs.filter(({ look }) => look === 'skippedOverlap').flatMap(({ ids }) => ids);
  return counted + new Set(skipping).size;
}
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
  const { id, attention, strip } = schedule;
  const skipped = strip?.slots.filter(({ verdict }) => verdict === 'skippedOverlap').length ?? 0;
  const common = { look, ids: [id], title: id, schedule };
  switch (look) {
    case 'skippedOverlap':
      return {
        ...common,
        text: `skipped ${skipped} of the last ${strip?.slots.length ?? 0}`,
        action: { text: 'Change policy', to: 'edit' },
      };
    case 'failed':
      return { ...common, text: attention.text, action: { text: 'See why', to: 'why' } };
    default:
      return { ...common, text: attention.text, action: { text: 'Look', to: 'schedule' } };
  }
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
    action: { text: 'Look', to: 'list', query: first.owner === '' ? '' : `owner:${first.owner}` },
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
