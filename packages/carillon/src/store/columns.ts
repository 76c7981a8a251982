/** How SQL stores lay out the records in columns, and back. */
import type { Instant } from '../base/time.ts';
import { StoreError } from './error.ts';
import type {
  Attributes,
  AuditRow,
  EventRow,
  EventState,
  ExecutionRow,
  ListedExecution,
  LogRow,
  RunRow,
  RunState,
  SlotRow,
} from './records.ts';
import { eventStates } from './records.ts';

/** One row, in the order of the columns asked for. */
export type ColumnValues = readonly unknown[];

/** `row` is the store's own number of the execution, in order of creation. */
export const executionColumns = [
  'row',
  'namespace',
  'archetype',
  'id',
  'incarnation',
  'version',
  'status',
  'wake_at',
  'state',
  'signals',
  'incident',
  'created_at',
  'closed_at',
];

export function executionOf(row: ColumnValues): ExecutionRow {
  return {
    key: { namespace: row[1] as string, archetype: row[2] as string, id: row[3] as string },
    incarnation: row[4] as string,
    version: row[5] as number,
    status: row[6] === 0 ? 'open' : 'closed',
    wakeAt: row[7] as Instant | null,
    state: row[8] as string,
    signals: parseStored<Record<string, number>>(row[9] as string),
    incident: row[10] as string | null,
    createdAt: row[11] as Instant,
    closedAt: row[12] as Instant | null,
  };
}

export function listedOf(row: ColumnValues): ListedExecution {
  return { ...executionOf(row), attributes: parseStored<Attributes>((row[13] ?? '{}') as string) };
}

export function parseStored<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new StoreError('corrupt', `a stored JSON column does not parse: ${text.slice(0, 80)}`, error);
  }
}

export const slotColumns = ['nominal', 'cause', 'until', 'count', 'verdict', 'at', 'run_id', 'detail'];

export function slotOf(incarnation: string, row: ColumnValues): SlotRow {
  return {
    incarnation,
    nominal: row[0] as Instant,
    cause: row[1] as string,
    until: row[2] as Instant,
    count: row[3] as number,
    verdict: row[4] as string,
    at: row[5] as Instant,
    runId: row[6] as string | null,
    detail: row[7] as string | null,
  };
}

export const runColumns = [
  'id',
  'namespace',
  'owner',
  'queue',
  'name',
  'priority',
  'state',
  'outcome',
  'attempt',
  'created_at',
  'available_at',
  'check_at',
  'started_at',
  'finished_at',
  'worker',
  'lease_token',
  'cancel',
  'progress',
  'result',
  'options',
  'input',
  'alias',
  'ordinal',
  'exclusive',
];

/** The same columns in the same order, with empty values in place of payloads. */
export const lightRunColumns: readonly string[] = runColumns.map((column) => {
  switch (column) {
    case 'progress':
      return 'null as progress';
    case 'input':
      return "'null' as input";
    case 'result':
      return "case when outcome = 'completed' then null else result end as result";
    default:
      return column;
  }
});

const states: readonly RunState[] = ['waiting', 'leased', 'done'];

export function runStateCode(state: RunState): number {
  return states.indexOf(state);
}

export function runValues(run: RunRow): (string | number | null)[] {
  return [
    run.id,
    run.namespace,
    run.owner,
    run.queue,
    run.name,
    run.priority,
    runStateCode(run.state),
    run.outcome,
    run.attempt,
    run.createdAt,
    run.availableAt,
    run.checkAt,
    run.startedAt,
    run.finishedAt,
    run.worker,
    run.leaseToken,
    run.cancel,
    run.progress,
    run.result,
    run.options,
    run.input,
    run.alias,
    run.ordinal,
    run.exclusive ? 1 : 0,
  ];
}

export function runOf(row: ColumnValues): RunRow {
  return {
    id: row[0] as string,
    alias: row[21] as string | null,
    exclusive: row[23] === 1,
    namespace: row[1] as string,
    owner: row[2] as string | null,
    ordinal: row[22] as number | null,
    queue: row[3] as string,
    name: row[4] as string,
    priority: row[5] as number,
    state: states[row[6] as number] as RunState,
    outcome: row[7] as RunRow['outcome'],
    attempt: row[8] as number,
    createdAt: row[9] as Instant,
    availableAt: row[10] as Instant,
    checkAt: row[11] as Instant | null,
    startedAt: row[12] as Instant | null,
    finishedAt: row[13] as Instant | null,
    worker: row[14] as string,
    leaseToken: row[15] as string,
    cancel: row[16] as RunRow['cancel'],
    progress: row[17] as string | null,
    result: row[18] as string | null,
    options: row[19] as string,
    input: row[20] as string,
  };
}

export const eventColumns = [
  'topic',
  'id',
  'sequence',
  'state',
  'holder',
  'attempt',
  'at',
  'changed_at',
  'data',
];

export function eventStateCode(state: EventState): number {
  return eventStates.indexOf(state);
}

export function eventOf(owner: string, row: ColumnValues): EventRow {
  return {
    owner,
    topic: row[0] as string,
    id: row[1] as string,
    sequence: row[2] as number,
    state: eventStates[row[3] as number] as EventState,
    holder: row[4] as string | null,
    attempt: row[5] as number,
    at: row[6] as Instant,
    changedAt: row[7] as Instant,
    data: row[8] as string,
  };
}

export function auditOf(row: ColumnValues): AuditRow {
  return {
    namespace: row[1] as string,
    target: row[2] as string,
    at: row[3] as Instant,
    actor: row[4] as string,
    door: row[5] as string,
    action: row[6] as string,
    note: row[7] as string,
    before: row[8] as string | null,
    after: row[9] as string | null,
  };
}

export const logColumns = ['run_id', 'attempt', 'lease', 'place', 'at', 'text'];

export function logOf(row: ColumnValues): LogRow {
  return {
    runId: row[0] as string,
    attempt: row[1] as number,
    lease: row[2] as string,
    place: row[3] as number,
    at: row[4] as Instant,
    text: row[5] as string,
  };
}
