/** The order and the command of clock changes. Pure. */
import type { ClockChange } from 'carillon/client';
import { quoted } from '../parts/quoted.ts';
import { dayText } from '../time/text.ts';
import { wallTime } from '../time/zone.ts';

/**
 * Changes in their order, each alone, but those of one day that go the same way and touch no schedule together: with many zones they
 * would be most of the screen.
 */
export function joinedUntouched(changes: readonly ClockChange[]): readonly (readonly ClockChange[])[] {
  const groups = new Map<string, ClockChange[]>();
  for (const change of changes) {
    const { zone, byMinutes, touched } = change;
    const at = Date.parse(change.at);
    const key =
      touched.length > 0
        ? `${zone} ${change.at}`
        : `${dayText(zone, at)} ${wallTime(zone, at).year} ${byMinutes}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

/** The most schedules that the command names. */
const mostNamed = 20;

/** The command for a part of the schedules, which takes their ids. */
export function commandOf(changes: readonly Pick<ClockChange, 'touched'>[]): string {
  const ids = new Set(changes.flatMap(({ touched }) => touched.map(({ id }) => id)));
  return ['carillon dst', ...[...ids].slice(0, mostNamed).map(quoted)].join(' ');
}
