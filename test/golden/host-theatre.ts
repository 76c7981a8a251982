/** A world with one workflow in which histories of hosts are played, and out of and into which stored rows are carried. */
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { createHost, defineWorkflow, NonRetryable, topic } from '../../packages/carillon/src/embed/host.ts';
import type { Hosts } from '../../packages/carillon/src/embed/hosts.ts';
import type { EventRow } from '../../packages/carillon/src/store/records.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import type { StoredRows } from './theatre.ts';
import { takeOut, timeOf } from './theatre.ts';

const key = { namespace: 'default', archetype: 'host', id: 'w' };
const topics = ['in', 'out', 'side'];

/** What the payload of an event makes the consumer do. */
export type Order =
  /** It is taken, and the change is made. */
  | 'do'
  /** It is left where it is. */
  | 'leave'
  /** The change never answers, and it stays unknown whether it happened; or it is found out later. */
  | 'hang'
  | 'unknown'
  /** `prepare` throws, for good or for a while. */
  | 'break'
  | 'stumble'
  /** `next` throws after the change. */
  | 'lose';

export class HostTheatre implements AsyncDisposable {
  readonly world: CarillonWorld;
  /** Every call of a handler: `00:05:00 prepare`. */
  readonly performed: string[] = [];
  /** Whether the program still has the topic `side` and its consumer. */
  hasSide = true;

  constructor(start: Instant) {
    this.world = new CarillonWorld({
      start,
      expectFailures: true,
      patienceMs: 0,
      setup: (carillon) =>
        void createHost({ carillon, workflows: [this.#workflow()], settings: { retries: 2 } }),
    });
  }

  get hosts(): Hosts {
    return this.world.carillon().hosts;
  }

  async send(...orders: readonly Order[]): Promise<void> {
    const messages = orders.map((order, place) => ({ id: `${order}-${place}`, payload: order }));
    await this.hosts.publish('w', 'in', messages);
    await this.world.settle();
  }

  /** The program is deployed anew, without the topic `side`. */
  async deployLess(): Promise<void> {
    this.hasSide = false;
    await this.world.restart(0);
    await this.world.settle();
  }

  #workflow() {
    const note = (what: string) => this.performed.push(`${timeOf(this.world.now)} ${what}`);
    const basic = defineWorkflow({
      name: 'w',
      topics: {
        in: topic<Order>(),
        out: topic<number>(),
        ...(this.hasSide ? { side: topic<number>() } : {}),
      },
    })
      .producer('poll', {
        schedule: { interval: '2m' },
        publishes: ['out'],
        handler: (ctx, state: number | undefined) => {
          note('poll');
          ctx.publish('out', { id: `p${state ?? 0}`, payload: state ?? 0 });
          return (state ?? 0) + 1;
        },
      })
      .producer('digest', {
        schedule: { cron: '*/3 * * * *', timezone: 'Europe/Berlin' },
        publishes: ['out'],
        onBusy: 'queueOne',
        handler: () => void note('digest'),
      })
      .consumer('work', {
        subscribe: ['in'],
        publishes: ['out'],
        prepare: async (ctx) => {
          const [first] = (await ctx.peek('in')).filter(({ payload }) => payload !== 'leave');
          note(`prepare ${first?.id ?? 'nothing'}`);
          if (first?.payload === 'break') throw new NonRetryable('broken on purpose');
          if (first?.payload === 'stumble' && first.attempt === 1 && ctx.attempt < 3)
            throw new Error('stumbled on purpose');
          const ids = first === undefined ? [] : [first.id];
          return { reservations: [{ topic: 'in', ids }], data: { order: first?.payload ?? 'leave' } };
        },
        mutate: (ctx, { order }) =>
          ctx.change('make', {
            run: () => {
              note(`make ${order}`);
              if (order === 'hang') return new Promise<string>(() => {});
              if (order === 'unknown') throw new Error('the answer was lost');
              return 'made';
            },
            ...(order === 'hang' ? { reconcile: () => 'found' } : {}),
          }),
        next: (ctx, { order }, change) => {
          note(`next ${change.status}`);
          if (order === 'lose' && ctx.attempt < 3) throw new Error('lost on purpose');
          ctx.publish('out', { id: ctx.runId, payload: 1 });
          return order;
        },
      })
      .consumer('sink', {
        subscribe: ['out'],
        prepare: async (ctx) => ({
          reservations: [{ topic: 'out', ids: (await ctx.peek('out')).map(({ id }) => id) }],
          data: null,
        }),
      });
    if (!this.hasSide) return basic;
    const prepare = () => ({ reservations: [], data: null, wakeAt: this.world.now + 120_000 });
    return basic.consumer('never', { subscribe: ['side' as never], prepare });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}

export async function takeOutHost(store: Store): Promise<StoredRows> {
  const rows = await takeOut(store, key);
  const events: EventRow[] = [];
  for (const name of topics) {
    const { items } = await store.events({ owner: rows.execution.incarnation, topic: name, limit: 1000 });
    events.push(...items);
  }
  const runs = rows.runs.map((run) => ({ ...run, result: withoutStacks(run.result) }));
  return { ...rows, runs, events };
}

/** Stacks name files and lines of ours, which change without any change of form. */
function withoutStacks(result: string | null): string | null {
  if (result === null) return null;
  return JSON.stringify(JSON.parse(result), (name, value: unknown) =>
    name === 'stack' ? 'at somewhere' : value,
  );
}

/** What a workflow did by the time it is looked at, in words that outlive a change of the stored form. */
export interface HostDeeds {
  readonly performed: readonly string[];
  readonly status: string;
  readonly attention: string | null;
  readonly events: readonly string[];
  readonly ledger: readonly string[];
  readonly runs: readonly string[];
  readonly handlers: readonly string[];
}

export async function deedsOfHost({ world, hosts, performed }: HostTheatre): Promise<HostDeeds> {
  const { execution, slots, runs, events = [] } = await takeOutHost(world.store);
  if (execution.incident !== null) throw new Error(`quarantined: ${execution.incident}`);
  const { status, attention, producers, consumers } = await hosts.describe('w');
  return {
    performed,
    status,
    attention,
    events: events.map(({ topic: of, id, state, attempt }) => `${of} ${id} ${state}, attempt ${attempt}`),
    ledger: slots.map(
      ({ cause, nominal, count, verdict }) => `${cause} ${timeOf(nominal)} ×${count} ${verdict}`,
    ),
    runs: runs.map(({ id, state, outcome }) => `${id} ${state} ${outcome}`),
    handlers: [
      ...producers.map(
        ({ name, state, next, skipped }) =>
          `${name} ${state}, next ${next === null ? 'never' : timeOf(next)}, skipped ${skipped}`,
      ),
      ...consumers.map(({ name, state }) => `${name} ${state}`),
    ],
  };
}
