/** A fixture for schedules in virtual time, with short texts of their ledger and runs to compare. */

import type { Clock } from '../../packages/carillon/src/base/clock.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime, formatInstant } from '../../packages/carillon/src/base/time.ts';
import type { Carillon } from '../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { Schedules } from '../../packages/carillon/src/embed/schedules.ts';
import type { RunContext } from '../../packages/carillon/src/runs/context.ts';
import type { SlotView } from '../../packages/carillon/src/service/journal-view.ts';
import type { ScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';
import type { RunRow } from '../../packages/carillon/src/store/records.ts';
import type { CarillonWorldOptions } from '../../packages/carillon/src/testing/index.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

export interface Performed {
  readonly at: Instant;
  readonly context: RunContext;
}

export class Stage implements AsyncDisposable {
  readonly world: CarillonWorld;
  /** Every attempt of every handler, in order. */
  readonly performed: Performed[] = [];
  readonly trouble: unknown[] = [];

  /** Handlers: `work` ends at once, `long` after `input.ms` of virtual time (an hour) or when aborted, `fail` throws. */
  constructor(options: CarillonWorldOptions = {}) {
    this.world = new CarillonWorld({
      patienceMs: 0,
      expectFailures: true,
      ...options,
      onTrouble: (error) => this.trouble.push(error),
      setup: (carillon, node) => {
        const note = (context: RunContext) => this.performed.push({ at: node.clock.now(), context });
        carillon.handle('work', (context) => {
          note(context);
          return `done ${formatInstant(context.scheduledAt)}`;
        });
        carillon.handle<{ ms?: number; deaf?: boolean } | null>('long', async (context) => {
          note(context);
          await lasting(node.clock, context);
          return 'done at last';
        });
        carillon.handle('fail', (context) => {
          note(context);
          throw new Error('on purpose');
        });
        options.setup?.(carillon, node);
      },
    });
  }

  get carillon(): Carillon {
    return this.world.carillon();
  }

  get schedules(): Schedules {
    return this.carillon.schedules;
  }

  /** Creates a schedule that fires every minute unless told otherwise. */
  async create(input: Partial<ScheduleInput> = {}, id = 's'): Promise<void> {
    const timed = ['every', 'cron', 'at', 'rrule', 'spec'].some((name) => name in input);
    await this.schedules.create(id, { ...(timed ? {} : { every: '1m' }), run: 'work', ...input });
  }

  async advance(by: string | number): Promise<void> {
    await this.world.advance(by);
  }

  /** No node runs for a while. */
  async down(by: string): Promise<void> {
    this.world.crash(0);
    await this.world.advance(by);
    await this.world.restart(0);
    await this.world.settle();
  }

  /** Nominal times of the performed runs, as `HH:MM:SS`. */
  get times(): readonly string[] {
    return this.performed.map(({ context }) => clock(context.scheduledAt));
  }

  /** The ledger: `00:01:00 started`, stretches as `00:01:00–00:05:00 ×5 paused`; other causes in front. */
  async ledger(id = 's'): Promise<readonly string[]> {
    return (await this.rows(id)).map(told);
  }

  async rows(id = 's'): Promise<readonly SlotView[]> {
    return (await this.schedules.slots(id, { limit: 1000, order: 'ascending' })).items;
  }

  async verdicts(id = 's'): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const { verdict, count } of await this.rows(id)) counts[verdict] = (counts[verdict] ?? 0) + count;
    return counts;
  }

  /** The run rows of a schedule, newest first. */
  async runs(id = 's'): Promise<readonly RunRow[]> {
    return (
      await internalsOf(this.carillon).services.schedules.runs({ namespace: 'default', id }, { limit: 1000 })
    ).items;
  }

  async why(at: string, id = 's') {
    return await this.schedules.explain(id, at);
  }

  async describe(id = 's') {
    return await this.schedules.describe(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

/** Time begins at 2026-01-01T00:00:00Z. */
export async function aStage(options: CarillonWorldOptions = {}): Promise<Stage> {
  const stage = new Stage(options);
  await stage.world.start();
  return stage;
}

/** Creates the schedule `s` on a fresh stage. */
export async function aSchedule(input: Partial<ScheduleInput> = {}): Promise<Stage> {
  const stage = await aStage();
  await stage.create(input);
  return stage;
}

export function clock(at: number): string {
  return formatInstant(at as Instant).slice(11, 19);
}

export function workflowIdOf(run: RunRow): string | undefined {
  return (JSON.parse(run.options) as { readonly workflowId?: string }).workflowId;
}

/** A time on the first day. */
export function t(time: string): string {
  return `2026-01-01T${time}Z`;
}

function told({ cause, nominal, until, count, verdict }: SlotView): string {
  const span = count === 1 ? clock(nominal) : `${clock(nominal)}–${clock(until)} ×${count}`;
  return `${cause === 'auto' ? '' : `${cause} `}${span} ${verdict}`;
}

async function lasting(
  ticks: Clock,
  { input, signal }: RunContext<{ ms?: number; deaf?: boolean } | null>,
): Promise<void> {
  const { ms = 3_600_000, deaf = false } = input ?? {};
  await new Promise<void>((resolve, reject) => {
    const cancel = ticks.wakeAt(addTime(ticks.now(), ms), resolve);
    if (deaf) return;
    signal.addEventListener('abort', () => {
      cancel();
      reject(signal.reason);
    });
  });
}
