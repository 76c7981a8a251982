/** What may become of the slots of a pause when it ends. Pure. */
import type { Effects } from 'carillon/client';
import { plural } from '../time/text.ts';

export const missedWays = ['skip', 'once', 'all'] as const;
export type MissedWay = (typeof missedWays)[number];

interface Way {
  readonly value: MissedWay;
  readonly text: string;
  readonly detail: string;
}

/** Each of many schedules has its own slots and its own overlap policy. */
export const missedOfMany: readonly Way[] = [
  { value: 'skip', text: 'None', detail: 'they stay paused' },
  { value: 'once', text: 'The latest', detail: 'one run of each schedule for all of its slots' },
  { value: 'all', text: 'All', detail: 'each starts, waits or is skipped as its overlap policy says' },
];

type Told = Pick<Effects, 'text' | 'status' | 'verdicts'>;

/** The number of slots that get their verdict when the pause ends. */
export function missedCount({ verdicts }: Pick<Effects, 'verdicts'>): number {
  return Object.values(verdicts).reduce((sum, count) => sum + count, 0);
}

export function missedTitle(count: number): string {
  return `${plural(count, 'slot')} fell into the pause`;
}

/** The choices for one schedule, each with the sentences of its dry run. */
export function missedOfOne(told: Readonly<Record<MissedWay, Told>>): readonly Way[] {
  return missedOfMany.map(({ value, text }) => ({ value, text, detail: becomes(told[value]) }));
}

/**
 * Leaves out the sentences that are the same for every choice: that the schedule resumes, and how many slots there are.
 */
function becomes({ text, status }: Told): string {
  return (status.before === status.after ? text : text.slice(1))
    .filter((sentence) => !sentence.endsWith(' fell into the pause.'))
    .join(' ');
}
