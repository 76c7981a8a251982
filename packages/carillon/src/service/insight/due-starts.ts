/**
 * When the schedules of one group are due: at the nominal times of their spec, each of them later by its own jitter. So jitter
 * takes a herd apart.
 */
import type { Instant } from '../../base/time.ts';
import { addTime } from '../../base/time.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import { jitterOffset } from '../../spec/jitter.ts';
import type { SlicedWork } from '../spec-search.ts';
import type { SpecGroup } from './fleet-specs.ts';
import type { Span } from './history-material.ts';

/** Delays that are computed between two turns of the event loop: a few milliseconds of work. */
const delaysPerTurn = 10_000;

/** The most delays of one answer: a few seconds of work. */
export const mostDelays = 4_000_000;

/** What is left of the delays of an answer. */
export interface DelayBudget {
  left: number;
}

/** Called with each start, and with the index of the member that is due; without one, all members are. */
export type Visit = (at: Instant, member?: number) => void;

/** Visits the starts within the span, both ends included. False when the work would have cost too much. */
export async function visitStarts(
  { definition, seeds, from: resumed }: Pick<SpecGroup, 'definition' | 'seeds' | 'from'>,
  { from: begin, to }: Span,
  { work, delays }: { readonly work: SlicedWork; readonly delays: DelayBudget },
  visit: Visit,
): Promise<boolean> {
  const from = Math.max(begin, resumed ?? begin) as Instant;
  const compiled = compiledOf(definition);
  const longest = definition.spec.jitterMs ?? 0;
  const first = Math.max(0, from - longest) as Instant;
  const walk = compiled.walk(addTime(first, -1), { last: to, seed: definition.seed });
  let untilTurn = delaysPerTurn;
  for (;;) {
    const found = await work.finish((budget) => walk.next(budget));
    if (found.kind !== 'found') return found.kind === 'none';
    const { nominal } = found;
    if (longest === 0) {
      if (nominal >= from) visit(nominal);
      continue;
    }
    delays.left -= seeds.length;
    if (delays.left < 0) return false;
    untilTurn -= seeds.length;
    if (untilTurn < 0) {
      untilTurn = delaysPerTurn;
      await work.yield();
    }
    const second = nominal / 1000;
    const room = (compiled.nextRawSecond(second) - second) * 1000;
    // NaN: no time follows, and nothing bounds the delay but the jitter.
    const most = Number.isNaN(room) ? longest : Math.min(longest, room);
    for (const [place, seed] of seeds.entries()) {
      const at = addTime(nominal, jitterOffset(second, seed, most));
      if (at >= from && at <= to) visit(at, place);
    }
  }
}
