/** Rows with defaults, a clock that stands still until told, and short ways to write and read. */
import type { Clock } from '../../packages/carillon/src/base/clock.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import type {
  AuditRow,
  EventRow,
  ExecutionKey,
  ExecutionRow,
  ExecutionWrite,
  PartRow,
  RunRow,
  SlotRow,
} from '../../packages/carillon/src/store/records.ts';
import type { Loaded, Selection, Store, Writes } from '../../packages/carillon/src/store/store.ts';

export class StandingClock implements Clock {
  #now: Instant;

  constructor(now: number) {
    this.#now = instant(now);
  }

  now(): Instant {
    return this.#now;
  }

  set(now: number): void {
    this.#now = instant(now);
  }

  wakeAt(): () => void {
    throw new Error('stores set no timers');
  }
}

export function aKey(id: string, namespace = 'default', archetype = 'thing'): ExecutionKey {
  return { namespace, archetype, id };
}

export function anExecution(fields: Partial<ExecutionWrite> & { readonly id?: string } = {}): ExecutionWrite {
  const { id = 'one', ...rest } = fields;
  return {
    key: aKey(id),
    incarnation: `${id}#1`,
    version: 1,
    status: 'open',
    wakeAt: null,
    state: '{"a":1}',
    signals: {},
    incident: null,
    createdAt: instant(1000),
    closedAt: null,
    ...(rest.version === undefined || rest.version === 1 ? { attributes: {} } : {}),
    ...rest,
  };
}

/** The next version of a row, with these changes. */
export function nextOf(row: ExecutionRow, fields: Partial<ExecutionWrite> = {}): ExecutionWrite {
  const { key, incarnation, status, wakeAt, state, signals, incident, createdAt, closedAt } = row;
  const version = row.version + 1;
  return {
    key,
    incarnation,
    version,
    status,
    wakeAt,
    state,
    signals,
    incident,
    createdAt,
    closedAt,
    ...fields,
  };
}

export function aPart(fields: Partial<PartRow> = {}): PartRow {
  return { incarnation: 'one#1', name: 'spec', stamp: 1, data: 'cold', at: instant(1000), ...fields };
}

export function aSlot(fields: Partial<SlotRow> = {}): SlotRow {
  const nominal = fields.nominal ?? instant(1000);
  return {
    incarnation: 'one#1',
    cause: 'auto',
    nominal,
    until: nominal,
    count: 1,
    verdict: 'started',
    at: nominal,
    runId: null,
    detail: null,
    ...fields,
  };
}

/** Grows with the first characters of an id. */
function ordinalOf(id: string): number {
  let ordinal = 0;
  for (let place = 0; place < 6; place += 1) ordinal = ordinal * 128 + (id.charCodeAt(place) || 0);
  return ordinal;
}

/** Runs of one owner are started in the order of their ids, unless a test says otherwise. */
export function aRun(fields: Partial<RunRow> = {}): RunRow {
  return {
    id: 'run-1',
    alias: null,
    exclusive: false,
    namespace: 'default',
    owner: null,
    ordinal: fields.owner == null ? null : ordinalOf(fields.id ?? 'run-1'),
    queue: 'main',
    name: 'work',
    priority: 0,
    state: 'waiting',
    outcome: null,
    attempt: 0,
    createdAt: instant(1000),
    availableAt: instant(1000),
    checkAt: null,
    startedAt: null,
    finishedAt: null,
    worker: '',
    leaseToken: '',
    cancel: 'none',
    options: '{}',
    input: '{}',
    progress: null,
    result: null,
    ...fields,
  };
}

export function anEvent(fields: Partial<EventRow> = {}): EventRow {
  return {
    owner: 'one#1',
    topic: 'news',
    id: 'e1',
    sequence: 1,
    state: 'pending',
    holder: null,
    attempt: 1,
    at: instant(1000),
    changedAt: instant(1000),
    data: '{}',
    ...fields,
  };
}

export function anAudit(fields: Partial<AuditRow> = {}): AuditRow {
  return {
    namespace: 'default',
    target: 'thing/one',
    at: instant(1000),
    actor: 'ann',
    door: 'native',
    action: 'create',
    note: '',
    before: null,
    after: '{}',
    ...fields,
  };
}

/** Writes without looking at anything. */
export function write(store: Store, writes: Writes): Promise<void> {
  return store.transact({ kind: 'keys', keys: [] }, { decide: () => ({ writes, result: undefined }) });
}

/** Looks without writing anything. */
export function look(store: Store, selection: Selection): Promise<Loaded> {
  return store.transact(selection, { decide: (loaded) => ({ writes: {}, result: loaded }) });
}

/** Every item of a paged reading, and how many pages it took. */
export async function everyPage<T>(
  read: (
    after: string | undefined,
  ) => Promise<{ readonly items: readonly T[]; readonly next: string | null }>,
): Promise<{ readonly items: readonly T[]; readonly pages: number }> {
  const items: T[] = [];
  let pages = 0;
  let after: string | undefined;
  do {
    const page = await read(after);
    items.push(...page.items);
    pages++;
    after = page.next ?? undefined;
  } while (after !== undefined);
  return { items, pages };
}

/** Spread into a query: absent rather than undefined. */
export function cursor(after: string | undefined): { readonly after?: string } {
  return after === undefined ? {} : { after };
}
