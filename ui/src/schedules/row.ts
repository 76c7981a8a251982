/** A schedule as a row of the list. Pure. */

import type { SummaryJson } from 'carillon/client';
import { zoneOfSpec } from 'carillon/spec';
import type { StripAnswer } from '../strip/strip.ts';
import { lookOfSlot, placesOf } from '../strip/strip.ts';
import { clockText, dayText, lengthText, sinceText, whenText } from '../time/text.ts';
import { placeOf, wallTime, zoneLetters } from '../time/zone.ts';
import type { Family, Look } from '../verdict/verdict.ts';
import { familyOf, looks } from '../verdict/verdict.ts';

/** A listed schedule, which may have values of a newer server. */
export interface ListedSchedule extends SummaryJson {
  readonly attention: { readonly kind: string | null; readonly text: string };
  readonly strip?: StripAnswer;
}

export interface Row {
  readonly id: string;
  /** The state beside the name; absent when all is well and nothing runs. */
  readonly look: Look | undefined;
  /** The second line: a reason in the colour of its family, or the owner. */
  readonly under: string;
  readonly underFamily: Family | undefined;
  readonly words: string;
  readonly spec: string;
  readonly next: string;
  readonly nextWhen: string;
  readonly isOverdue: boolean;
  readonly last: { readonly look: Look; readonly text: string; readonly when: string } | undefined;
  readonly p95: string;
}

export const attentionLooks: Readonly<Record<string, Look>> = {
  quarantined: 'quarantined',
  failing: 'failed',
  noWorker: 'untaken',
  late: 'overdue',
  skipping: 'skippedOverlap',
  waiting: 'buffered',
  paused: 'paused',
};

export function stateOf(schedule: ListedSchedule): Look | undefined {
  const { kind } = schedule.attention;
  const look = kind === null ? undefined : attentionLooks[kind];
  if (look !== undefined) return look;
  return schedule.runningCount > 0 ? 'running' : undefined;
}

/** Why it needs a person, in a few words; a pause is a person's own decision. */
export function reasonOf({ attention: { kind, text }, strip }: ListedSchedule): string | undefined {
  if (kind === null || kind === 'paused') return undefined;
  if (kind !== 'skipping' || strip === undefined) return text;
  const places = placesOf(strip);
  const skipped = places.filter(({ look }) => look === 'skippedOverlap').length;
  return skipped === 0 ? text : `skipped ${skipped} of the last ${places.length}`;
}

/** A moment as the library writes it: it does not know by which clock it is read. */
const moment = /(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) UTC/g;

/** The words of a spec by the clock of its zone, which stands beside them already. */
export function wordsWithoutZone(text: string, zone: string): string {
  // An entry may name the zone itself.
  const words = text.replaceAll(` ${zone} time`, '').replace(moment, (_, day: string, clock: string) => {
    const at = Date.parse(`${day}T${clock}Z`);
    return `${dayText(zone, at)} ${wallTime(zone, at).year} ${clockText(zone, at)} ${zoneLetters(zone, at)}`;
  });
  const ending = `, ${zone}`;
  // The rule for clock changes comes after the zone.
  return words.endsWith(ending) ? words.slice(0, -ending.length) : words.replace(`${ending}, `, ', ');
}

/** The zone in which the words of a spec are meant, as in `, in Berlin`; nothing where the words end with it. */
export function zoneBehind(words: string, zone: string): string {
  return wordsWithoutZone(words, zone).endsWith(` ${zone}`) ? '' : `, in ${placeOf(zone)}`;
}

/** Whether the spec names no time: the schedule runs only when it is triggered. */
export function isByHand(spec: object): boolean {
  return specText(spec as Spec) === byHand;
}

const byHand = 'by hand only';

/** `shown` is the zone in which times are shown; the schedule's own unless given. */
export function rowOf(schedule: ListedSchedule, now: number, shown?: string): Row {
  const zone = zoneOfSpec(schedule.spec);
  const look = stateOf(schedule);
  const { attention } = schedule;
  const reason = reasonOf(schedule);
  const isOverdue = attention.kind === 'late';
  const next = schedule.next === null ? null : Date.parse(schedule.next);
  return {
    id: schedule.id,
    look,
    under: reason ?? ownerOf(schedule) ?? '',
    underFamily: reason === undefined || look === undefined ? undefined : familyOf(look),
    words: wordsWithoutZone(schedule.words, zone),
    spec: specText(schedule.spec),
    next: isOverdue ? 'overdue' : nextText(schedule, next, now),
    nextWhen: next === null ? '' : whenText(shown ?? zone, next, now),
    isOverdue,
    last: lastOf(schedule.strip, now),
    p95: schedule.strip?.p95Ms == null ? '' : lengthText(schedule.strip.p95Ms),
  };
}

function nextText({ status, spec }: ListedSchedule, next: number | null, now: number): string {
  if (next !== null) return next <= now ? 'now' : sinceText(next, now);
  if (status === 'paused') return 'not while paused';
  if (status === 'quarantined') return 'not while in quarantine';
  if (status === 'closed') return 'closed';
  return isByHand(spec) ? 'when it is triggered' : 'no more times';
}

function ownerOf({ owner, tags, description, action }: ListedSchedule): string | undefined {
  if (owner !== '') return owner;
  if (tags.length > 0) return tags.join(', ');
  return description === '' ? action.name : description;
}

function lastOf(strip: StripAnswer | undefined, now: number): Row['last'] {
  const slot = strip?.slots.at(-1);
  if (slot === undefined) return undefined;
  const look = lookOfSlot(slot);
  const text = look === 'started' && slot.run?.outcome === 'completed' ? 'Completed' : looks[look].short;
  return { look, text, when: sinceText(Math.min(Date.parse(slot.at), now), now) };
}

type Spec = SummaryJson['spec'];

/** What was written: `0 9 * * 1-5`, `every 10 s`, `RRULE`. */
export function specText(spec: Spec): string {
  const {
    cron = [],
    intervals = [],
    rrules = [],
    times = [],
    calendars = [],
    structuredCalendars = [],
  } = spec;
  const parts = [
    ...cron.map(({ text }) => text),
    ...intervals.map(({ everyMs }) => `every ${lengthText(everyMs)}`),
    ...rrules.map(({ text }) => text.replace(/^DTSTART[^\n]*\n/, '')),
    ...(times.length > 0 ? ['once'] : []),
    ...(calendars.length + structuredCalendars.length > 0 ? ['calendar'] : []),
  ];
  return parts.join(' and ') || byHand;
}
