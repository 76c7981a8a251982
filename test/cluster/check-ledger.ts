/**
 * Reads a store after the chaos run: every second of every schedule has exactly one verdict, every verdict is a start, every
 * start has exactly one run, and nothing was early.
 */
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { optionsOf } from '../../packages/carillon/src/runs/run.ts';
import type { ListedExecution, RunRow, SlotRow } from '../../packages/carillon/src/store/records.ts';
import type { Page, Store } from '../../packages/carillon/src/store/store.ts';

export interface LedgerReport {
  /** The first few problems. */
  readonly problems: readonly string[];
  readonly slots: number;
  readonly runs: number;
  /** Runs whose first worker died. */
  readonly takenOver: number;
  /** Lateness of every run's first start, in ms, with its nominal time. */
  readonly lateness: readonly { readonly nominal: Instant; readonly lateMs: number }[];
}

const pageSize = 10_000;
const mostProblems = 20;

/** Expects schedules of every second, none of them changed since it was created. */
export async function checkLedger(store: Store, schedules: number): Promise<LedgerReport> {
  const problems: string[] = [];
  const report = { slots: 0, runs: 0, takenOver: 0 };
  const lateness: { nominal: Instant; lateMs: number }[] = [];
  const rows = await everything<ListedExecution>((after) =>
    store.list({ archetype: 'schedule', limit: 1000, ...after }),
  );
  if (rows.length !== schedules) problems.push(`${rows.length} schedules instead of ${schedules}`);
  for (const { key, incarnation, createdAt } of rows) {
    const ledger = await everything<SlotRow>((after) =>
      store.slots({ incarnation, limit: pageSize, ...after }),
    );
    const runs = await everything<RunRow>((after) =>
      store.runs({ owner: incarnation, limit: pageSize, ...after }),
    );
    report.slots += ledger.length;
    report.runs += runs.length;
    report.takenOver += runs.filter((run) => run.attempt > 1).length;
    const tell = (problem: string) => problems.push(`${key.id}: ${problem}`);
    checkSlots(ledger, Math.floor(createdAt / 1000) * 1000 + 1000, tell);
    const started = new Set(ledger.map((slot) => slot.runId));
    if (started.size !== ledger.length) tell('one run serves two slots');
    if (runs.length !== ledger.length) tell(`${runs.length} runs for ${ledger.length} slots`);
    for (const run of runs) {
      if (!started.has(run.id)) tell(`run ${run.id} has no slot`);
      const { nominal } = optionsOf(run);
      if (nominal !== undefined && run.startedAt !== null)
        lateness.push({ nominal, lateMs: run.startedAt - nominal });
    }
  }
  return { ...report, problems: problems.slice(0, mostProblems), lateness };
}

function checkSlots(ledger: readonly SlotRow[], first: number, tell: (problem: string) => void): void {
  ledger.forEach((slot, index) => {
    const expected = first + index * 1000;
    if (slot.nominal !== expected) tell(`slot ${index} is ${slot.nominal}, expected ${expected}`);
    if (slot.count !== 1 || !slot.verdict.startsWith('started')) tell(`${slot.nominal} is ${slot.verdict}`);
    if (slot.at < slot.nominal) tell(`${slot.nominal} was early`);
  });
}

async function everything<T>(page: (after: { readonly after?: string }) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { items, next } = await page(after === undefined ? {} : { after });
    for (const item of items) all.push(item);
    after = next;
  }
  return all;
}

export function spreadOf(values: readonly number[]): string {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return `p50 ${at(0.5).toFixed(0)}, p99 ${at(0.99).toFixed(0)}, max ${at(1).toFixed(0)} ms`;
}
