/**
 * The store contract: operations over generic rows, and one write path.
 *
 * Every change goes through `transact`: the store selects rows, calls the pure `decide`, and commits what it
 * returns: all or nothing. A decision may run more than once (a store without row locks reruns it after a lost
 * version check), which is safe because it is a pure function of what it was given. Two transactions never
 * decide over the same row at the same time; rows that another node holds are skipped by `due`, `claimable` and
 * `lapsed` and waited for by `keys` and `runs`.
 *
 * An acknowledged commit is durable to the degree each store documents. A commit whose acknowledgement is lost
 * surfaces as `unavailable`, and the caller cannot know whether it happened: request ids and lease tokens make
 * a repeated call harmless.
 */
import { closedList } from '../base/closed-list.ts';
import type { Instant } from '../base/time.ts';
import type { StoreError } from './error.ts';
import type {
  AuditRow,
  EventRow,
  EventState,
  ExecutionKey,
  ExecutionRow,
  ExecutionStatus,
  ExecutionWrite,
  ListedExecution,
  LogRow,
  PartRef,
  PartRow,
  RunOrder,
  RunRow,
  SlotRow,
} from './records.ts';

export interface DueSelection {
  readonly kind: 'due';
  readonly limit: number;
  readonly archetypes?: readonly string[];
}

export type Selection =
  /** Open executions whose wake time has come by the store's clock, earliest first; only of these archetypes, so that a
   *   node never takes an execution it has no code for. */
  | DueSelection
  /**
   * The rows of a step: these runs with the executions that own them, then executions that are due. Named rows are waited
   * for, due ones are not. A row that is both an owner and due appears once.
   */
  | { readonly kind: 'step'; readonly due: DueSelection; readonly runs: readonly string[] }
  /**
   * The newest incarnation (the one created last) under each key, open or closed, in the order asked for; absent
   * keys are simply not among the rows.
   */
  | { readonly kind: 'keys'; readonly keys: readonly ExecutionKey[] }
  /** These runs, and the executions that own them; absent ids are simply not among the rows. */
  | { readonly kind: 'runs'; readonly ids: readonly string[] }
  /** Waiting runs of these queues that are available, by priority (highest first), then availability, then id. */
  | ({ readonly kind: 'claimable'; readonly limit: number } & WaitingQuery)
  /** Unfinished runs whose `checkAt` has come, and the executions that own them. */
  | { readonly kind: 'lapsed'; readonly limit: number }
  /**
   * Leased runs of one holder, by id, the executions that own them, and the execution whose incarnation is the holder's
   * name, if there is one: the holder's own row is read in the transaction that judges its leases.
   */
  | { readonly kind: 'held'; readonly worker: string; readonly limit: number }
  /** An execution and its unfinished runs with an ordinal of at most `upTo` (default: all), newest ordinal first. */
  | {
      readonly kind: 'owned';
      readonly incarnation: string;
      readonly limit: number;
      readonly upTo?: number;
    };

export const selectionKinds = closedList<Selection['kind']>({
  due: true,
  step: true,
  keys: true,
  runs: true,
  claimable: true,
  lapsed: true,
  held: true,
  owned: true,
});

export interface Loaded {
  /** The time of the store's clock; it is the only `now` of the transaction. */
  readonly now: Instant;
  readonly executions: readonly ExecutionRow[];
  readonly runs: readonly RunRow[];
  /** Data of a part asked for by `need`; throws when the part was not asked for or does not exist. */
  part(ref: PartRef): string;
  /** The events asked for by `need`, each once. */
  readonly events: readonly EventRow[];
}

/** Events that a decision wants to see, of one execution among the selected ones. */
export type EventNeed =
  | { readonly owner: string; readonly topic: string; readonly ids: readonly string[] }
  /** The pending events that come first, at most this many. */
  | { readonly owner: string; readonly topic: string; readonly oldest: number }
  /** The reserved events of one run. */
  | { readonly owner: string; readonly holder: string };

export interface Needs {
  readonly parts: readonly PartRef[];
  readonly events?: readonly EventNeed[];
}

/** What a commit writes. A row appears at most once; parts, slots and events belong to executions that are stored or written here. */
export interface Writes {
  readonly executions?: readonly ExecutionWrite[];
  /** Incarnations to remove with all their parts, slots and events; their finished runs stay until retention removes them. */
  readonly remove?: readonly string[];
  readonly parts?: readonly PartRow[];
  readonly dropParts?: readonly PartRef[];
  readonly slots?: readonly SlotRow[];
  /**
   * Runs to insert. An id that is stored already, and an exclusive alias that an unfinished run of the namespace has, is a conflict
   * that lists all of them (`taken`). A run that the same commit finishes counts as finished.
   */
  readonly newRuns?: readonly RunRow[];
  /** Runs to replace; they must be among the loaded rows. */
  readonly runs?: readonly RunRow[];
  /** Ids of runs to remove with their lines. An absent one is gone already; an unfinished one is a conflict. */
  readonly removeRuns?: readonly string[];
  /** Events to insert; one that exists already is a conflict. */
  readonly newEvents?: readonly EventRow[];
  /** Events to replace; they must be among the loaded rows. Topic, sequence and `at` stay as they are. */
  readonly events?: readonly EventRow[];
  /** Lines of runs. A line that is stored already stays as it is; lines of a run that is not stored are a mistake of the caller. */
  readonly logs?: readonly LogRow[];
  /** Lines to remove first: those of the run's attempts before this one. */
  readonly dropLogs?: readonly { readonly runId: string; readonly beforeAttempt: number }[];
  readonly audit?: readonly AuditRow[];
}

export interface Decider<T> {
  /** Which cold parts and events the decision wants; called once per attempt, before `decide`. */
  need?(executions: readonly ExecutionRow[], runs: readonly RunRow[]): Needs;
  decide(loaded: Loaded): Decision<T>;
}

export interface Decision<T> {
  readonly writes: Writes;
  readonly result: T;
}

/**
 * A condition on what an execution can be found by. `field` names an attribute, a signal, or `id`;
 * `matchesFilter` in `filter.ts` says exactly what each condition means.
 */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | {
      readonly field: string;
      readonly is: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'startsWith' | 'contains';
      readonly value: string | number | boolean;
    }
  | { readonly field: string; readonly is: 'in'; readonly values: readonly (string | number | boolean)[] }
  | { readonly field: string; readonly is: 'present' };

export interface ListQuery {
  readonly namespace?: string;
  readonly archetype?: string;
  readonly status?: ExecutionStatus;
  readonly quarantined?: boolean;
  readonly filter?: Filter;
  /** The order is by (namespace, archetype, id), then creation; text by code point. Cursor of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
}

export interface SlotQuery {
  readonly incarnation: string;
  readonly cause?: string;
  readonly verdicts?: readonly string[];
  /** Limits the result to stretches that touch [from, to]. */
  readonly from?: Instant;
  readonly to?: Instant;
  /** The direction by nominal time; default ascending. */
  readonly order?: 'ascending' | 'descending';
  readonly after?: string;
  readonly limit: number;
}

export interface RunQuery {
  readonly ids?: readonly string[];
  readonly namespace?: string;
  readonly owner?: string;
  readonly alias?: string;
  readonly queue?: string;
  readonly name?: string;
  readonly states?: readonly RunRow['state'][];
  readonly outcomes?: readonly NonNullable<RunRow['outcome']>[];
  /** False: rows come as if they had no input, no progress and no result; the reason of a failure stays. Default true. */
  readonly payloads?: boolean;
  /** Default: `start` among the runs of one owner, otherwise `slot`. */
  readonly by?: RunOrder;
  /** The direction; default descending, newest first. */
  readonly order?: 'ascending' | 'descending';
  readonly after?: string;
  readonly limit: number;
}

export interface EventQuery {
  readonly owner: string;
  readonly topic: string;
  /** Only these; absent: all. */
  readonly ids?: readonly string[];
  /** Only these states; absent: all. */
  readonly states?: readonly EventState[];
  /** The direction by sequence; default ascending. */
  readonly order?: 'ascending' | 'descending';
  readonly after?: string;
  readonly limit: number;
}

/** Lines of one run, in the order of attempt, lease and place. */
export interface LogQuery {
  readonly runId: string;
  readonly attempt?: number;
  readonly after?: string;
  readonly limit: number;
}

/** One attempt of a run. */
export interface AttemptRef {
  readonly runId: string;
  readonly attempt: number;
}

export interface AuditQuery {
  readonly namespace?: string;
  readonly target?: string;
  /** Audit entries, newest first. */
  readonly after?: string;
  readonly limit: number;
}

/** Selects whose wake times are asked for. */
export interface WakeQuery {
  /** The archetypes of due executions; absent: all. */
  readonly archetypes?: readonly string[];
  /** The queues of claimable runs; absent: none. */
  readonly queues?: readonly string[];
  readonly known?: KnownRuns;
}

/** Which of the waiting runs of some queues are meant. */
export interface WaitingQuery {
  readonly queues: readonly string[];
  readonly known?: KnownRuns;
}

/** The runs that a worker knows, so that it finds them behind any number of others. Absent parts: all runs. */
export interface KnownRuns {
  readonly namespace?: string;
  /** The names by queue; every name of a queue without an entry. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
}

/** When rows next become due, by the store's clock; null: none will without a new commit. */
export interface WakeTimes {
  readonly now: Instant;
  readonly due: Instant | null;
  readonly lapsed: Instant | null;
  /** The earliest time over the queues asked about. */
  readonly claimable: Instant | null;
}

/** The most bytes of a published text; PostgreSQL allows 8000 with the name of the sender. */
export const longestMessage = 7800;

/** What a commit changed, for listeners. Notifications may be lost; polling makes up for them. */
export interface CommittedChange {
  readonly keys: readonly ExecutionKey[];
  /** Earliest wake time written; null when none was. */
  readonly wakeAt: Instant | null;
  readonly queues: readonly string[];
  /** Runs with a request to cancel or terminate them. */
  readonly cancelledRuns: readonly string[];
}

/**
 * What retention removes, by age and by count. Ages of closed executions, runs, events and audit are found by an index; what is
 * judged for each execution separately (its slots, and everything by count) is found by walking over the executions,
 * closed ones included, a bounded number per call.
 */
export interface Retention {
  /**
   * Bounds one call: at most this many rows of each kind are removed, and at most this many executions are walked over. A store that
   * keeps finished runs by day may drop a day at once, which costs the same for any number of rows.
   */
  readonly limit: number;
  /** Closed executions, with their parts, slots and events. */
  readonly closedBefore?: Instant;
  /** Slots whose verdict is from before this time. */
  readonly slotsBefore?: Instant;
  readonly runsFinishedBefore?: Instant;
  /** These runs, those among them that are finished. The list counts against no limit: the caller bounds it. */
  readonly finishedRuns?: readonly string[];
  /** Consumed and skipped events by the time they became so; pending and reserved ones always stay. */
  readonly eventsBefore?: Instant;
  readonly auditBefore?: Instant;
  /**
   * Keeps this many of the newest ledger rows of each execution, by nominal time; the newest one always stays, and so
   * does a stretch that reaches into the rows that stay, because it may still be growing.
   */
  readonly slotsPerExecution?: number;
  /** Keeps this many of the newest finished runs of each execution, by start; unfinished runs are neither removed nor counted. */
  readonly runsPerOwner?: number;
  /** Keeps this many of the newest stamps of each part of each execution; the newest stamp, which is in use, always stays. */
  readonly partsPerName?: number;
  /**
   * Limits by count remove no verdict reached and no run finished at this time or later: a backfill writes rows that are old by
   * nominal time and by id, and the person who asked for it wants to look at them. Absent: counts remove rows of any age.
   */
  readonly countedBefore?: Instant;
  /** Where the walk continues: `next` of the previous call; absent: at the first execution. */
  readonly after?: string;
}

/**
 * The result of a sweep. The store returns the position of the walk instead of keeping it: this way a caller can tell an
 * empty piece of the walk from its end, and pace itself; and a store that several nodes share keeps no state for each of them.
 */
export interface Swept {
  /** The number of rows removed. */
  readonly rows: number;
  /** Where the walk over the executions continues; null at its end, or when no walk was asked for. */
  readonly next: string | null;
}

/** An event of the store as a whole, beside the answers to single calls. */
export type StoreEvent =
  /** The store belongs to another process now, or its file is gone: from now on every call fails with `unavailable`. */
  | { readonly kind: 'lost'; readonly error: StoreError }
  /** Acknowledged commits may be lost (a failover, a restored backup): caches in memory may be wrong. */
  | { readonly kind: 'rewound' };

/** The changes a listener is called for. */
export type Interest = 'all' | 'runs';

export interface Capabilities {
  /** Other processes may use the same store at the same time. */
  readonly shared: boolean;
  /** Which `list` filters work: all of them, or only those by id. */
  readonly filters: 'all' | 'id';
  /** The tool that makes backups of this database, for the message to a caller who asks the store for a backup. */
  readonly backupTool?: string;
}

/** Copies of a store that is in use. */
export interface Backups {
  /** The folder of the store, below which callers may ask for copies; null when it has none. */
  readonly folder: string | null;
  /** Makes a consistent copy at a path that does not exist yet, while work goes on. */
  copyTo(path: string, progress: (done: number, total: number) => void): Promise<BackupReport>;
}

export interface BackupReport {
  readonly path: string;
  readonly bytes: number;
}

export interface Store {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Absent where the database has its own backup tools; `capabilities.backupTool` names them. */
  readonly backups?: Backups;
  /** Brings the schema up to date; safe when several nodes do it at once. Must be called before any other operation. */
  migrate(): Promise<void>;
  transact<T>(selection: Selection, decider: Decider<T>): Promise<T>;
  /** The newest incarnation under each key (or those very incarnations), with their attributes. */
  read(
    which: { keys: readonly ExecutionKey[] } | { incarnations: readonly string[] },
  ): Promise<readonly ListedExecution[]>;
  /** Exact parts, or every stored stamp of a named part, oldest first. */
  parts(
    which: { refs: readonly PartRef[] } | { incarnation: string; name: string },
  ): Promise<readonly PartRow[]>;
  list(query: ListQuery): Promise<Page<ListedExecution>>;
  count(query: Omit<ListQuery, 'after' | 'limit'>): Promise<number>;
  slots(query: SlotQuery): Promise<Page<SlotRow>>;
  runs(query: RunQuery): Promise<Page<RunRow>>;
  /** The events of a topic, by sequence. */
  events(query: EventQuery): Promise<Page<EventRow>>;
  logs(query: LogQuery): Promise<Page<LogRow>>;
  /** The last line of each of these attempts, in any order; found without reading the lines before it. */
  lastLines(of: readonly AttemptRef[]): Promise<readonly LogRow[]>;
  audit(query: AuditQuery): Promise<Page<AuditRow>>;
  wakeTimes(of: WakeQuery): Promise<WakeTimes>;
  /**
   * Calls the listener after each commit the store learns of, this process's own included; with `runs`, only after those that
   * concern runs (`queues`, `cancelledRuns`). Returns an unsubscribe function.
   */
  subscribe(listener: (change: CommittedChange) => void, of?: Interest): () => void;
  /** Sends a text of at most `longestMessage` bytes to the other processes of the store, which may miss it. Absent: there are none. */
  publish?(text: string): Promise<void>;
  /**
   * Calls the listener with what other processes publish, and with null when some of it may have been missed. Returns an
   * unsubscribe function.
   */
  messages?(listener: (text: string | null) => void): () => void;
  /** Calls the watcher on events of the store as a whole. Returns an unsubscribe function. */
  watch?(watcher: (event: StoreEvent) => void): () => void;
  /** Removes a bounded number of the rows that retention allows; call it again for the remaining ones. */
  sweep(retention: Retention): Promise<Swept>;
  /** Waits for the operations under way and releases all resources. Safe to call twice. */
  close(): Promise<void>;
}
