/** What needs a person: the worst first, and one line where one cause has many. Pure. */
import { queryToken } from 'carillon/client';
import { afterFailures } from '../schedule/own-rule.ts';
import type { ListedSchedule } from '../schedules/row.ts';
import { attentionLooks, reasonOf } from '../schedules/row.ts';
import type { StripAnswer } from '../strip/strip.ts';
import { lookOfSlot, places, placesOf } from '../strip/strip.ts';
import { countText, lengthText, plural } from '../time/text.ts';
import type { Look } from '../verdict/verdict.ts';

export interface Need {
  readonly key: string;
  readonly look: Look;
  /** How many schedules it is about. */
  readonly count: number;
  readonly title: string;
  readonly text: string;
  /** The worst of them. */
  readonly schedules: readonly [ListedSchedule, ...ListedSchedule[]];
  readonly action: {
    readonly text: string;
    readonly to: 'schedule' | 'edit' | 'list' | 'why';
    readonly query?: string;
  };
}

/** The most lines: as many as a person looks through. */
export const mostNeeds = 7;

/** What the page reads of the answer, with room for what a newer server may say. */
export interface NeedsAnswer {
  readonly groups: readonly NeedsGroup[];
  readonly rest: { readonly schedules: number };
}

export interface NeedsGroup {
  readonly kind: string;
  readonly cause: { readonly type: string; readonly name: string } | null;
  readonly count: number;
  readonly failures: { readonly least: number; readonly most: number };
  readonly schedules: readonly ListedSchedule[];
}

export interface Needy {
  readonly needs: readonly Need[];
  /** Schedules that no line is about. */
  readonly left: number;
}

/** The schedules of one cause have a line each while there is room; otherwise they share one line. */
export function needsOf({ groups, rest }: NeedsAnswer, room: number = mostNeeds): Needy {
  const needy = groups.filter(({ kind }) => kind !== 'paused');
  const shown = needy.slice(0, room);
  let spare = room - shown.length;
  const needs: Need[] = [];
  for (const group of shown) {
    const { count, schedules } = group;
    if (count === schedules.length && count - 1 <= spare) {
      spare -= count - 1;
      needs.push(...schedules.map((schedule) => needOfOne(group, schedule)));
    } else needs.push(...needOfMany(group));
  }
  const left = needy.slice(room).reduce((sum, { count }) => sum + count, rest.schedules);
  return { needs, left };
}

function needOfOne({ kind }: NeedsGroup, schedule: ListedSchedule): Need {
  const look = lookOf(kind);
  const { id } = schedule;
  const text = predicateOf(kind, schedule);
  return { key: id, look, count: 1, title: id, text, schedules: [schedule], action: actionOf(look) };
}

/** What the line says after the schedule's name, so that both are one sentence. A reason in other words is left as it is. */
function predicateOf(kind: string, schedule: ListedSchedule): string {
  const { failures } = schedule;
  const reason = reasonOf(schedule) ?? '';
  switch (kind) {
    case 'failing':
      return failures > 1 ? `failed ${countText(failures)} times in a row` : 'failed in its last run';
    case 'noWorker':
      return reason.replace(/^no worker knows /, 'waits for a worker that knows ');
    case 'late':
      return reason.replace(/^due (.+) ago, no verdict$/, 'is $1 overdue and has no verdict');
    case 'skipping':
      return reason.replace(/^(.+) were skipped$/, 'skipped $1');
    case 'waiting':
      return reason.replace(/^(\S+ starts?) wait/, 'has $1 that wait');
    case 'quarantined':
      return `is in quarantine: ${reason}`;
    default:
      return reason;
  }
}

function lookOf(kind: string): Look {
  return attentionLooks[kind] ?? 'failed';
}

export const justLook: Need['action'] = { text: 'Look', to: 'schedule' };

function actionOf(look: Look): Need['action'] {
  if (look === 'skippedOverlap') return { text: 'Change policy', to: 'edit' };
  return look === 'failed' ? { text: 'See why', to: 'why' } : justLook;
}

/** The names in one line, such as `payments-00, payments-01, payments-02 and 35 more`. */
export function namesOf({ schedules, count }: Pick<Need, 'schedules' | 'count'>): string {
  const names = schedules.map(({ id }) => id).join(', ');
  return count > schedules.length ? `${names} and ${countText(count - schedules.length)} more` : names;
}

/** What is known about the cause beyond the reason, from the last slots; empty when nothing is. */
export function evidenceOf(need: Need, now: number): string {
  const { look, count } = need;
  const [schedule] = need.schedules;
  const { strip } = schedule;
  if (count > 1) return namesOf(need);
  if (strip === undefined) return '';
  const sinceOf = (slot: StripAnswer['slots'][number] | undefined) =>
    slot === undefined ? '' : lengthText(now - Date.parse(slot.at));
  switch (look) {
    case 'failed': {
      const first = firstOfLast(strip, look);
      const since = sinceOf(first);
      // The first failure may be older than the oldest known slot.
      const isCut = first === strip.slots[0] && schedule.failures > strip.slots.length;
      return since === '' ? '' : `for ${isCut ? 'more than ' : ''}${since}`;
    }
    case 'untaken': {
      const since = sinceOf(strip.slots.find((slot) => lookOfSlot(slot) === 'untaken'));
      const behind = placesOf(strip).filter((place) => place.look === 'skippedOverlap').length;
      const parts = [
        ...(since === '' ? [] : [`A run waits for ${since}`]),
        ...(behind === 0
          ? []
          : [`${behind === places ? 'the last ' : ''}${plural(behind, 'slot')} skipped behind it`]),
      ];
      return parts.join(', ');
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

function needOfMany(group: NeedsGroup): readonly Need[] {
  const { kind, cause, count, schedules } = group;
  const [first, ...others] = schedules;
  if (first === undefined) return [];
  return [
    {
      key: `${kind} ${cause?.type} ${cause?.name}`,
      look: lookOf(kind),
      count,
      title: `${plural(count, 'schedule')}${causeText(group)}`,
      text: factsOf(group),
      schedules: [first, ...others],
      action: { text: 'Look', to: 'list', query: queryOf(group) },
    },
  ];
}

/** The facts of the group name the handler already where no worker knows it. */
function causeText({ kind, cause }: NeedsGroup): string {
  if (cause === null || kind === 'noWorker') return '';
  return cause.type === 'owner' ? ` of ${cause.name}` : ` that start ${cause.name}`;
}

const tokens: Readonly<Record<string, string>> = {
  quarantined: 'state:quarantined',
  noWorker: 'is:noworker',
  failing: 'is:failing',
  late: 'is:overdue',
  skipping: 'is:skipping',
  waiting: 'is:waiting',
  paused: 'state:paused',
};

/** The query that lists the group. */
export function queryOf({ kind, cause }: Pick<NeedsGroup, 'kind' | 'cause'>): string {
  const token = tokens[kind] ?? 'is:attention';
  return cause === null ? token : `${token} ${queryToken(cause.type, cause.name)}`;
}

/** What all of them have in common, such as */
function factsOf({ kind, cause, failures, count, schedules }: NeedsGroup): string {
  switch (kind) {
    case 'failing':
      return failuresText(failures);
    case 'noWorker':
      return cause === null ? 'wait for a worker' : `wait for a worker that knows '${cause.name}'`;
    case 'late':
      return 'are overdue, without a verdict';
    case 'skipping':
      return 'skip slots, because the run before has not ended';
    case 'waiting':
      return 'have starts that wait for their turn';
    case 'quarantined':
      return 'are in quarantine';
    default:
      return count === 1 ? (schedules[0]?.attention.text ?? '') : 'need a person';
  }
}

function failuresText({ least, most }: NeedsGroup['failures']): string {
  if (most === 1) return 'failed in their last run';
  const times = least === most ? countText(most) : `${countText(least)} to ${countText(most)}`;
  return `failed ${times} times in a row`;
}

export interface Pauses {
  readonly title: string;
  readonly text: string;
  /** Who paused the newest of them, and why. */
  readonly word: string;
  readonly query: string;
}

/** The schedules that people have paused, in one line; undefined when there are none. */
export function pausesOf({ groups }: NeedsAnswer): Pauses | undefined {
  const paused = groups.filter(({ kind }) => kind === 'paused');
  const [first] = paused;
  const some = first?.schedules[0];
  if (first === undefined || some === undefined) return undefined;
  const count = paused.reduce((sum, group) => sum + group.count, 0);
  const word =
    some.paused == null ? '' : `${count === 1 ? '' : `${some.id}, `}by ${authorOf(some.paused, some)}`;
  if (count === 1) return { title: some.id, text: 'is paused', word, query: some.id };
  const owners = paused.length === 1 ? causeText(first) : '';
  return {
    title: `${plural(count, 'schedule')}${owners}`,
    text: 'are paused',
    word,
    query: paused.length === 1 ? queryOf(first) : 'state:paused',
  };
}

/** Who paused a schedule, and why. */
function authorOf(
  { by, note }: NonNullable<ListedSchedule['paused']>,
  { policy }: Pick<ListedSchedule, 'policy'>,
): string {
  if (by !== 'policy') return note === '' ? by : `${by}: “${note}”`;
  const after = afterFailures(policy.pauseAfterFailures);
  return after === '' ? 'its own rule' : `its own rule, ${after}`;
}

/**
 * The first sentence of the page, such as `13 of 15 schedules do what they should.` `asking`: the workflows that wait
 * for a decision.
 */
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
