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

/** How many slots the end of the pause decides. */
export function missedCount({ verdicts }: Pick<Effects, 'verdicts'>): number {
  return Object.values(verdicts).reduce((sum, count) => sum + count, 0);
}

export function missedTitle(count: number): string {
  return `${plural(count, 'slot')} fell into the pause`;
}

/** The ways of one schedule, each in the words of the server, which has rehearsed it. */
export function missedOfOne(told: Readonly<Record<MissedWay, Told>>): readonly Way[] {
  return missedOfMany.map(({ value, text }) => ({ value, text, detail: becomes(told[value]) }));
}

/** That the schedule resumes is true of every way, and the title says how many slots there are. */
function becomes({ text, status }: Told): string {
  return (status.before === status.after ? text : text.slice(1))
    .filter((sentence) => !sentence.endsWith(' fell into the pause.'))
    .join(' ');
}
