/** The schedules of the demo day: the ordinary jobs of a small company, each with something to look at. */
import type { ScheduleInput } from 'carillon';

export const demoOwner = 'demo';

/** What the demo's handler does in a run. */
export interface Doing {
  /** How long the run usually takes, in ms. */
  readonly usually: number;
  /** Extra length of some runs, in ms: runs differ from each other, and the same run always takes the same time. */
  readonly spread: number;
}

const minutes = 60_000;
const seconds = 1000;

type DaySchedule = ScheduleInput & { readonly description: string };

/** The schedule of the demo day whose runs have no worker, and their handler and queue. */
export const unattendedId = 'search-index-rebuild';
const unattended = { run: 'search.rebuild', queue: 'search' };

/** Whether a log line is about the demo's runs that have no worker on purpose. */
export function isAboutUnattended(fields: unknown): boolean {
  const { queue, name } = (fields ?? {}) as { readonly queue?: unknown; readonly name?: unknown };
  return queue === unattended.queue && name === unattended.run;
}

export const daySchedules: Readonly<Record<string, DaySchedule>> = {
  'invoice-sync': {
    cron: '0,30 * * * *',
    zone: 'America/New_York',
    description: 'Fetches new invoices; watch what an outage, a pause and a slow run do to it',
    tags: ['billing'],
    retry: { attempts: 3, initial: '1m', coefficient: 2 },
  },
  'price-feed-refresh': {
    cron: '0,30 * * * *',
    zone: 'UTC',
    description: 'Reads the price feed of the catalogue',
    tags: ['catalog'],
    overlap: 'bufferOne',
  },
  'tenant-usage-rollup': {
    cron: '10 * * * *',
    zone: 'UTC',
    description: 'Takes a little longer than the hour it has, so every second slot is skipped',
    tags: ['platform'],
  },
  'refund-reconcile': {
    cron: '*/30 * * * *',
    zone: 'Europe/Berlin',
    description: 'Has been failing for a while: the bank refuses its certificate',
    tags: ['payments'],
  },
  'ledger-export': {
    cron: '30 2 * * *',
    zone: 'Europe/Berlin',
    description: 'The nightly export of the ledger',
    tags: ['billing'],
  },
  'token-rotate': {
    cron: '10 * * * *',
    zone: 'UTC',
    description: 'Paused by a person, with a reason',
    tags: ['platform'],
  },
  [unattendedId]: {
    ...unattended,
    cron: '0 */6 * * *',
    zone: 'UTC',
    unclaimedTimeout: '5h50m',
    description: 'No worker of its queue is running: its run waits for one that knows it',
    tags: ['search'],
  },
  'launch-mails': {
    every: '1h',
    remaining: 3,
    description: 'Was to run three times, and has',
    tags: ['growth'],
  },
};

/** The ids of all schedules of the demo day, including those whose definition depends on its date. */
export const dayIds: readonly string[] = [...Object.keys(daySchedules), 'daily-digest', 'island-roster'];

export const doings: Readonly<Record<string, Doing>> = {
  'invoice-sync': { usually: 9 * minutes, spread: 4 * minutes },
  'price-feed-refresh': { usually: 8 * seconds, spread: 20 * seconds },
  'tenant-usage-rollup': { usually: 64 * minutes, spread: 5 * minutes },
  'refund-reconcile': { usually: 30 * seconds, spread: 15 * seconds },
  'ledger-export': { usually: 5 * minutes, spread: minutes },
};

export const otherwise: Doing = { usually: 4 * seconds, spread: 6 * seconds };
