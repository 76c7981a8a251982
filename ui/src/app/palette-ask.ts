/**
 * A schedule and a time in its zone: `invoice-sync 03:30`, `invoice-sync yesterday 3:30`, `invoice-sync mon 9:00`,
 * `invoice-sync 2026-11-01 03:30`, `invoice-sync 2026-11-01T08:30:00Z`, `invoice-sync now`, each also after `why`. Pure.
 */
import { dayMs, instantOf, offsetAt } from '../time/zone.ts';

export interface Ask {
  readonly id: string;
  /** The latest such time that is not after now, unless its day is given; of an hour that the clock repeats, both. */
  readonly times: (zone: string, now: number) => readonly number[];
}

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const day = `today|yesterday|tomorrow|(?:${days.join('|')})[a-z]*|\\d{4}-\\d\\d-\\d\\d`;
const pattern = new RegExp(`^(\\S+)\\s+(?:(${day})[\\sT]+)?(\\d{1,2}):(\\d\\d)(?::(\\d\\d))?$`, 'i');
const instant = /^(\S+)\s+(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))$/i;
const present = /^(\S+)\s+now$/i;

/** The text without the words with which a question may begin. */
export function withoutWhy(text: string): string {
  return text.replace(/^why\s+(?:did\s+)?/i, '');
}

export function readAsk(asked: string): Ask | undefined {
  const text = withoutWhy(asked);
  const [, atNow] = present.exec(text) ?? [];
  if (atNow !== undefined) return { id: atNow, times: (_, now) => [now] };
  const [, exact, time = ''] = instant.exec(text) ?? [];
  if (exact !== undefined) {
    const at = Date.parse(time);
    return Number.isNaN(at) ? undefined : { id: exact, times: () => [at] };
  }
  const [, id, named, hours, minutes, seconds = '0'] = pattern.exec(text) ?? [];
  if (id === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined;
  const ofDay = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return {
    id,
    times: (zone, now) => {
      if (named !== undefined && /^\d/.test(named))
        return copiesOf(zone, Date.parse(`${named}T00:00:00Z`) + ofDay);
      const today = Math.floor((now + offsetAt(zone, now)) / dayMs) * dayMs;
      const back = daysBack(named?.toLowerCase(), today);
      if (back !== undefined) return copiesOf(zone, today - back * dayMs + ofDay);
      const at = instantOf(zone, today + ofDay);
      return copiesOf(zone, at > now ? today - dayMs + ofDay : today + ofDay);
    },
  };
}

/** The instants at which the clock shows the time: two when it was set back over it. */
function copiesOf(zone: string, local: number): readonly number[] {
  const first = instantOf(zone, local);
  const second = local - offsetAt(zone, local + dayMs);
  const isRepeated = second > first && second + offsetAt(zone, second) === local;
  return isRepeated ? [first, second] : [first];
}

/** How many days before today; a weekday is the last one that has been. */
function daysBack(named: string | undefined, today: number): number | undefined {
  if (named === undefined) return undefined;
  if (named === 'today') return 0;
  if (named === 'yesterday') return 1;
  if (named === 'tomorrow') return -1;
  const weekday = days.indexOf(named.slice(0, 3));
  return (new Date(today).getUTCDay() - weekday + 7) % 7;
}
