/**
 * Limits of runs beyond the capacity of workers: how many of a kind are in work at once, or begin within a time, over all nodes.
 * The run queue asks the gate before every claim, whichever worker claims.
 */
import { given } from '../base/given.ts';
import type { RunRow } from '../store/records.ts';
import type { KnownRuns } from '../store/store.ts';
import type { Claimed, ClaimRequest } from './run-queue.ts';

export interface ClaimGate {
  /** Returns those of the queues whose runs may be limited, in the namespace or, when none is given, in any. */
  limited(queues: readonly string[], namespace: string | undefined): Promise<readonly string[]>;
  /** Claims runs of one limited queue, as many as the limits leave. */
  pass(passage: Passage): Promise<Claimed>;
  /** Whether a run may be leased in the transaction that makes it. Asked for every start, so it must be quick. */
  mayPlace(run: RunRow): boolean;
}

export interface Passage {
  readonly queue: string;
  readonly known: KnownRuns | undefined;
  /** The most runs wanted. */
  readonly want: number;
  /** Claims at most this number of these runs. */
  readonly claim: (limit: number, known: KnownRuns) => Promise<Claimed>;
}

/** The pause before a queue is asked again that has runs which its limits hold back. */
export const heldBackMs = 100;

/** Runs that a claim of a limited queue examines beyond those it may take: the deadline of some may have passed. */
const spare = 16;

/** Claims from limited queues through the gate, one by one, and from all others at once. */
export async function claimThrough(
  { gate, limited }: { readonly gate: ClaimGate; readonly limited: readonly string[] },
  request: ClaimRequest,
  claim: (request: ClaimRequest) => Promise<Claimed>,
): Promise<Claimed> {
  const { free, holder, known, most = Number.POSITIVE_INFINITY } = request;
  const taken: RunRow[] = [];
  const take = async (part: Pick<ClaimRequest, 'free' | 'limit' | 'known'>): Promise<Claimed> => {
    const before = taken.length;
    const claimed = await claim({
      ...request,
      ...part,
      most: most - before,
      holder: typeof holder === 'function' ? (place, run) => holder(before + place, run) : holder,
    });
    taken.push(...claimed.runs);
    return claimed;
  };
  const parts: Claimed[] = [];
  try {
    const others = [...free].filter(([queue]) => !limited.includes(queue));
    if (others.length > 0)
      parts.push(await take({ free: new Map(others), ...given({ limit: request.limit, known }) }));
    for (const queue of limited) {
      const want = Math.min(free.get(queue) ?? 0, most - taken.length);
      if (want <= 0) continue;
      const some = (limit: number, of: KnownRuns) =>
        take({ free: new Map([[queue, limit]]), limit: limit + spare, known: of });
      parts.push(await gate.pass({ queue, known, want, claim: some }));
    }
  } catch (error) {
    if (taken.length > 0) request.doubtful?.(taken);
    throw error;
  }
  return joined(parts);
}

export function joined(parts: readonly Claimed[]): Claimed {
  return {
    runs: parts.flatMap(({ runs }) => runs),
    full: parts.some(({ full }) => full),
    skipped: parts.flatMap(({ skipped }) => skipped),
    heldBack: parts.flatMap(({ heldBack = [] }) => heldBack),
  };
}
