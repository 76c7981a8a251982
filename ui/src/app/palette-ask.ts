/** `invoice-sync 03:30`, `invoice-sync yesterday 3:30`, `invoice-sync 2026-11-01 03:30`: a schedule and a time in its zone. Pure. */
import { dayMs, instantOf, offsetAt } from '../time/zone.ts';

export interface Ask {
  readonly id: string;
  /** The latest such time that is not after now, unless a date is given. */
  readonly at: (zone: string, now: number) => number;
}

const pattern = /^(\S+)\s+(?:(yesterday|\d{4}-\d\d-\d\d)\s+)?(\d{1,2}):(\d\d)$/;

export function readAsk(text: string): Ask | undefined {
  const [, id, day, hours, minutes] = pattern.exec(text) ?? [];
  if (id === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const ofDay = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return {
    id,
    at: (zone, now) => {
      if (day !== undefined && day !== 'yesterday')
        return instantOf(zone, Date.parse(`${day}T00:00:00Z`) + ofDay);
      const today = Math.floor((now + offsetAt(zone, now)) / dayMs) * dayMs;
      const at = instantOf(zone, today + ofDay - (day === 'yesterday' ? dayMs : 0));
      return at > now ? instantOf(zone, today - dayMs + ofDay) : at;
    },
  };
}
