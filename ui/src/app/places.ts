/** The places of the page, in the order of the rail. */
import type { IconName } from '../parts/Icon.tsx';

export interface Place {
  readonly to: string;
  readonly icon: IconName;
  readonly name: string;
  readonly short: string;
  /** The key after `g`. */
  readonly key: string;
}

export const mainPlaces: readonly Place[] = [
  { to: '', icon: 'overview', name: 'Overview', short: 'Overview', key: 'o' },
  { to: 'schedules', icon: 'schedules', name: 'Schedules', short: 'Schedules', key: 's' },
  { to: 'runs', icon: 'runs', name: 'Runs', short: 'Runs', key: 'r' },
  { to: 'calendar', icon: 'calendar', name: 'Calendar', short: 'Calendar', key: 'c' },
  { to: 'hosts', icon: 'hosts', name: 'Workflow hosts', short: 'Hosts', key: 'h' },
];

export const toolPlaces: readonly Place[] = [
  { to: 'clock', icon: 'clock', name: 'Clock changes', short: 'Clock', key: 'k' },
  { to: 'audit', icon: 'audit', name: 'Audit', short: 'Audit', key: 'a' },
  { to: 'playground', icon: 'lab', name: 'Playground', short: 'Playground', key: 'p' },
];

export const settingsPlace: Place = {
  to: 'settings',
  icon: 'settings',
  name: 'Settings',
  short: 'Settings',
  key: ',',
};

export const allPlaces: readonly Place[] = [...mainPlaces, ...toolPlaces, settingsPlace];
