/** The zone in which times are shown: the schedule's, the viewer's, or UTC. The choice is stored in the browser. */
import { useSyncExternalStore } from 'react';
import { bringOwnZone, knownZones, shownZone, viewerZone, watchZones } from './zone.ts';

export const timeChoices = [
  ['schedule', 'Schedule time'],
  ['viewer', 'Your time'],
  ['utc', 'UTC'],
] as const;
export type TimeChoice = (typeof timeChoices)[number][0];

const name = 'carillon.times';
const watchers = new Set<() => void>();
let current = stored();

function stored(): TimeChoice {
  try {
    const text = localStorage.getItem(name);
    return timeChoices.find(([choice]) => choice === text)?.[0] ?? 'schedule';
  } catch {
    return 'schedule';
  }
}

export function chooseTimes(next: TimeChoice): void {
  current = next;
  try {
    localStorage.setItem(name, next);
  } catch {
    // The browser cannot store the choice, so it lasts for this page only.
  }
  for (const watcher of watchers) watcher();
}

export function choiceText(choice: TimeChoice): string {
  return timeChoices.find(([each]) => each === choice)?.[1] ?? choice;
}

export function useTimeChoice(): TimeChoice {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => current,
  );
}

/** The zone in which to show times of a schedule of that zone. */
export function zoneBy(choice: TimeChoice, ofSchedule: string): string {
  if (choice === 'schedule') return shownZone(ofSchedule);
  return choice === 'utc' ? 'UTC' : viewerZone;
}

/** `data` are the bytes of the zone, where the spec brings them. Shows times again when the zone becomes known. */
export function useZoneOf(ofSchedule: string, data?: string): string {
  useSyncExternalStore(watchZones, knownZones);
  if (data !== undefined) bringOwnZone(ofSchedule, data);
  return zoneBy(useTimeChoice(), ofSchedule);
}

/** The zone of screens that are about many schedules. */
export function usePageZone(): string {
  return useZoneOf(viewerZone);
}
