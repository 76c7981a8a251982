/** What happens on a day besides starts: outages, clock changes, exclusions, pauses. Pure. */
import type { ClockChange, Days } from 'carillon/client';
import { countText, lengthText, months, plural } from '../time/text.ts';
import { placeOf } from '../time/zone.ts';
import type { Look } from '../verdict/verdict.ts';
import { dateOf, localDay, mondayOf } from './heat.ts';

export interface DayEvent {
  readonly key: string;
  readonly look: Look;
  /** `clock back, 683`, for a cell of a month. */
  readonly short: string;
  /** A sentence: what, why, which schedules, until when. */
  readonly text: string;
  /** The only schedule that it is about, as the sentence names it. */
  readonly only?: string;
  /** Some of the schedules it is about, and how many there are. */
  readonly ids: readonly string[];
  readonly schedules: number;
  /** Whether it began on another day. */
  readonly goesOn?: boolean;
  /** The place of the page that says more. */
  readonly place?: 'clock';
}

export interface EventMaterial {
  readonly days: Pick<Days, 'excluded' | 'paused'> | undefined;
  readonly clock: readonly ClockChange[];
  readonly silences: readonly { readonly from: string; readonly to: string }[];
  readonly zone: string;
}

/** The events of a local day, problems first. */
export function eventsOn(local: number, { days, clock, silences, zone }: EventMaterial): readonly DayEvent[] {
  const date = dateOf(local);
  return [
    ...silences
      .filter(({ from }) => localDay(zone, Date.parse(from)) === local)
      .map(({ from, to }): DayEvent => {
        const length = lengthText(Date.parse(to) - Date.parse(from));
        const text = `No node was alive for ${length}.`;
        return {
          key: `silence ${from}`,
          look: 'overdue',
          short: `no node, ${length}`,
          text,
          ids: [],
          schedules: 0,
        };
      }),
    ...clock.filter((change) => localDay(change.zone, Date.parse(change.at)) === local).map(clockEvent),
    ...(days?.excluded ?? []).filter((each) => each.date === date).map(excludedEvent),
    ...pauseEvents(local, days?.paused ?? []),
  ];
}

function clockEvent({ at, zone, byMinutes, touchedCount, touched }: ClockChange): DayEvent {
  const way = byMinutes < 0 ? 'back' : 'forward';
  const length = lengthText(Math.abs(byMinutes) * 60_000);
  return {
    key: `clock ${zone} ${at}`,
    look: byMinutes < 0 ? 'dstFold' : 'dstGap',
    short: `clock ${byMinutes < 0 ? 'back' : 'on'}, ${touchedCount === 0 ? placeOf(zone) : countText(touchedCount)}`,
    text: `The clock of ${placeOf(zone)} goes ${way} ${length}; ${touchedCount === 0 ? 'no schedule is touched' : `${plural(touchedCount, 'schedule')} ${touchedCount === 1 ? 'is' : 'are'} touched`}.`,
    ids: [...new Set(touched.map(({ id }) => id))].slice(0, 5),
    schedules: touchedCount,
    place: 'clock',
  };
}

function excludedEvent({ date, label, schedules, wholeDay, ids }: Days['excluded'][number]): DayEvent {
  const who = schedules === 1 ? (ids[0] ?? '1 schedule') : plural(schedules, 'schedule');
  const part =
    wholeDay === schedules
      ? 'the whole day'
      : wholeDay === 0
        ? 'a part of the day'
        : `the whole day for ${countText(wholeDay)} of them`;
  return {
    key: `excluded ${date} ${label}`,
    look: 'excluded',
    short:
      label === ''
        ? `left out: ${schedules === 1 ? who : countText(schedules)}`
        : `${label}, ${countText(schedules)}`,
    text: `${label === '' ? 'Excluded' : `Excluded, ${label}`}: ${who}, ${part}.`,
    ids,
    schedules,
    ...onlyOf(ids, schedules),
  };
}

const onlyOf = (ids: readonly string[], schedules: number) =>
  schedules === 1 && ids[0] !== undefined ? { only: ids[0] } : {};

/** A pause has its note on its first day and on each Monday; on the days between, only how many are paused. */
function pauseEvents(local: number, paused: Days['paused']): readonly DayEvent[] {
  const date = dateOf(local);
  const own = paused.filter(
    ({ firstDay, lastDay }) => firstDay <= date && (lastDay === null || date <= lastDay),
  );
  return own.map(({ firstDay, lastDay, by, note, schedules, ids }): DayEvent => {
    const isNamed = firstDay === date || local === mondayOf(local);
    const who = schedules === 1 ? (ids[0] ?? '1 schedule') : plural(schedules, 'schedule');
    const since = `since ${dateWords(firstDay)}, ${lastDay === null ? 'until a person resumes' : `until ${dateWords(lastDay)}`}`;
    const when = firstDay === lastDay ? `on ${dateWords(firstDay)}` : since;
    // The note of a schedule that paused itself names only its last run.
    const isOwn = by === 'policy';
    const author = `by ${isOwn ? 'its own rule' : by}`;
    const reason = isOwn ? '' : note;
    const name = reason === '' ? `paused ${author}` : reason;
    return {
      key: `paused ${firstDay} ${lastDay} ${by} ${note}`,
      look: 'paused',
      short: isNamed ? (schedules === 1 ? name : `${name}, ${countText(schedules)}`) : countText(schedules),
      text: `Paused ${author}${reason === '' ? '' : `, “${reason}”`}: ${who}, ${when}.`,
      ids,
      schedules,
      goesOn: !isNamed,
      ...onlyOf(ids, schedules),
    };
  });
}

/** A date such as `14 Nov`. */
function dateWords(date: string): string {
  return `${Number(date.slice(8))} ${months[Number(date.slice(5, 7)) - 1]}`;
}

/** Joins the pauses that began earlier into one line, so that they do not hide new events. */
export function joinedPauses(events: readonly DayEvent[]): readonly DayEvent[] {
  const goingOn = events.filter(({ goesOn }) => goesOn === true);
  if (goingOn.length === 0) return events;
  const schedules = goingOn.reduce((sum, event) => sum + event.schedules, 0);
  const joined: DayEvent = {
    key: 'paused',
    look: 'paused',
    short: `${countText(schedules)} paused`,
    text: `${plural(schedules, 'schedule')} ${schedules === 1 ? 'stays' : 'stay'} paused.`,
    ids: [],
    schedules,
  };
  return [...events.filter(({ goesOn }) => goesOn !== true), joined];
}
