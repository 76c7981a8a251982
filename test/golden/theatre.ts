/** A world with three handlers in which histories are played, and out of and into which stored rows are carried. */
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { formatInstant } from '../../packages/carillon/src/base/time.ts';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import type {
  EventRow,
  ExecutionKey,
  ExecutionWrite,
  ListedExecution,
  PartRow,
  RunRow,
  SlotRow,
} from '../../packages/carillon/src/store/records.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import type { NodeSetting } from '../../packages/carillon/src/testing/index.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

/** The rows of one schedule, as they are stored. */
export interface StoredRows {
  readonly execution: ListedExecution;
  readonly parts: readonly PartRow[];
  readonly slots: readonly SlotRow[];
  readonly runs: readonly RunRow[];
  /** Only workflows on hosts have events. */
  readonly events?: readonly EventRow[];
}

export const scheduleId = 's';
const key = { namespace: 'default', archetype: 'schedule', id: scheduleId };
const everything = 100_000;

export class Theatre implements AsyncDisposable {
  readonly world: CarillonWorld;
  /** Every attempt of every handler: `00:05:00 for 00:05:00, attempt 1`. */
  readonly performed: string[] = [];
  readonly trouble: string[] = [];

  constructor(start: Instant) {
    this.world = new CarillonWorld({
      start,
      expectFailures: true,
      onTrouble: (error) => this.trouble.push(String(error)),
      setup: (carillon, node) => this.#handle(carillon, node),
    });
  }

  get carillon(): Carillon {
    return this.world.carillon();
  }

  /** `work` ends at once, `long` after `input.ms` or when aborted (a `deaf` one never hears), `fail` throws. */
  #handle(carillon: Carillon, { clock }: NodeSetting): void {
    const note = ({ scheduledAt, attempt }: RunContext) =>
      this.performed.push(`${timeOf(clock.now())} for ${timeOf(scheduledAt)}, attempt ${attempt}`);
    carillon.handle('work', (context) => {
      note(context);
      return { ranFor: formatInstant(context.scheduledAt) };
    });
    carillon.handle<{ readonly ms: number; readonly deaf?: boolean }>('long', async (context) => {
      note(context as RunContext);
      const { ms, deaf = false } = context.input;
      await new Promise<void>((resolve, reject) => {
        const cancel = clock.wakeAt((clock.now() + ms) as Instant, resolve);
        if (deaf) return;
        context.signal.addEventListener('abort', () => {
          cancel();
          reject(context.signal.reason);
        });
      });
      return 'done at last';
    });
    carillon.handle('fail', (context) => {
      note(context);
      // Stacks name files and lines of ours, which change without any change of form.
      throw Object.assign(new Error('on purpose'), { stack: 'Error: on purpose\n    at somewhere' });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

/** Takes everything a store holds of an execution but its events. */
export async function takeOut(store: Store, of: ExecutionKey = key): Promise<StoredRows> {
  const [execution] = await store.read({ keys: [of] });
  if (execution === undefined) throw new Error(`the history left no ${of.archetype}`);
  const { incarnation } = execution;
  const document = JSON.parse(execution.state) as { c: Record<string, readonly unknown[]>; r?: number };
  const cold = Object.entries(document.c).filter(([, node]) => node[3] !== undefined);
  const names = [...cold.map(([path]) => path), ...(document.r === undefined ? [] : ['#requests'])];
  const parts = await Promise.all(names.map((name) => store.parts({ incarnation, name })));
  const slots = await store.slots({ incarnation, limit: everything });
  const runs = await store.runs({ owner: incarnation, order: 'ascending', limit: everything });
  return { execution, parts: parts.flat(), slots: slots.items, runs: runs.items };
}

/** Puts rows into an empty store as they were, version and all. */
export async function putIn(store: Store, rows: StoredRows): Promise<void> {
  const { execution, parts, slots, runs, events = [] } = rows;
  const put = (version: number) =>
    store.transact(
      { kind: 'keys', keys: [] },
      {
        decide: () => {
          const row: ExecutionWrite = { ...execution, version };
          const first = version === 1 ? { parts, slots, newRuns: runs, newEvents: events } : {};
          return { writes: { executions: [row], ...first }, result: undefined };
        },
      },
    );
  // A store inserts version 1 and takes no leap from there.
  for (let version = 1; version <= execution.version; version++) await put(version);
}

/** What a schedule did by the time it is looked at, in words that outlive a change of the stored form. */
export interface Deeds {
  readonly performed: readonly string[];
  readonly trouble: readonly string[];
  readonly ledger: readonly string[];
  readonly runs: readonly string[];
  readonly status: string;
  readonly counters: Readonly<Record<string, number>>;
  readonly next: string | null;
}

export async function deedsOf(theatre: Theatre): Promise<Deeds> {
  const { schedules } = theatre.carillon;
  const { slots, runs, execution } = await takeOut(theatre.world.store);
  const { counters, next, status } = await schedules.describe(scheduleId);
  if (execution.incident !== null) throw new Error(`quarantined: ${execution.incident}`);
  return {
    performed: theatre.performed,
    trouble: theatre.trouble,
    ledger: slots.map(
      ({ cause, nominal, until, count, verdict }) =>
        `${cause} ${timeOf(nominal)}${count === 1 ? '' : `–${timeOf(until)} ×${count}`} ${verdict}`,
    ),
    runs: runs.map(
      (run) =>
        `${run.id} ${run.state}${run.outcome === null ? '' : ` ${run.outcome}`}, attempt ${run.attempt}`,
    ),
    status,
    counters: { ...counters },
    next: next === null ? null : formatInstant(next),
  };
}

/** Time of day, with the day when it is not the first of the year. */
export function timeOf(at: number): string {
  const text = formatInstant(at as Instant);
  return text.startsWith('2026-01-01T') ? text.slice(11, -1) : text;
}
