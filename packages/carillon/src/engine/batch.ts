/**
 * The decision of one transaction, from loaded rows to writes. Purely synchronous; may run again from scratch when
 * a store reruns a lost commit.
 *
 * Trees opened here are settled and committed together by `finish`. In an *isolating* batch (a step, the end of
 * runs) a tree whose code throws is quarantined unchanged and the others continue; otherwise the error goes to the caller
 * and nothing is written.
 */
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime, second } from '../base/time.ts';
import { dueTime } from '../store/change.ts';
import { StoreError } from '../store/error.ts';
import type {
  AuditRow,
  EventRow,
  ExecutionKey,
  ExecutionRow,
  ExecutionWrite,
  LogRow,
  PartRef,
  PartRow,
  RunRow,
  SlotRow,
} from '../store/records.ts';
import type { Loaded, Writes } from '../store/store.ts';
import type { TreeCommit } from './commit.ts';
import { commitOf, quarantineOf, requestPart } from './commit.ts';
import type { Fact } from './component.ts';
import type { Dispatch } from './dispatch.ts';
import { leaseDue } from './dispatch.ts';
import type { Library } from './library.ts';
import type { Loading } from './loading.ts';
import { NewerVersion } from './newer-version.ts';
import type { Placed, Placement } from './placement.ts';
import type { RequestLog } from './requests.ts';
import { noRequests } from './requests.ts';
import { type RefusedNames, RunNames } from './run-names.ts';
import { settle } from './settle.ts';
import { Tree } from './tree.ts';
import { workPerExecution, workPerStep } from './work.ts';

/** How long a row that newer code wrote is left to the nodes that can read it. */
const newerCodeDelay = 5 * second;

export interface BatchContext {
  readonly libraries: ReadonlyMap<string, Library>;
  /** The rows and parts that this transaction has read. */
  readonly loading: Loading;
  /** Whether this node runs side effects itself; otherwise they wait for a node that does. */
  readonly dispatching: boolean;
  readonly placement: Placement;
  /** The number of runs that due executions may start. */
  readonly starts: number;
  /** The names of runs that the store refused in earlier attempts at this transaction. */
  readonly refused: RefusedNames;
}

/** How a decision ends: see `TransactOptions`. */
export interface Finishing {
  readonly isolating?: boolean;
  readonly keeping?: boolean;
}

/** What follows once the commit is durable: side effects, reports to observers, placed runs and cached parts. */
export interface AfterCommit {
  readonly dispatches: readonly Dispatch[];
  readonly facts: readonly Reported[];
  readonly incidents: readonly Incident[];
  /** Rows that this node could not read, because newer code wrote them. */
  readonly troubles: readonly unknown[];
  /** The placement of started runs; undefined when no run was started. */
  readonly placed: Placed | undefined;
  readonly parts: readonly PartRow[];
  /** The written trees, for the next transaction; only those of which no caller can hold a piece. */
  readonly commits: readonly TreeCommit[];
}

/** Facts about one execution, or about none when `key` is null. */
export interface Reported {
  readonly key: ExecutionKey | null;
  readonly of: readonly Fact[];
}

export interface Incident {
  readonly key: ExecutionKey;
  readonly error: unknown;
}

const noDispatches: readonly Dispatch[] = [];
const noRuns: readonly RunRow[] = [];

export class Batch {
  readonly now: Instant;
  readonly rows: readonly ExecutionRow[];
  readonly runs: readonly RunRow[];
  /** The names of runs that are in use, as far as this decision knows. */
  readonly names: RunNames;
  /** The number of executions that were loaded in vain: they are left to another step. Known after `finish`. */
  postponed = 0;
  readonly #context: BatchContext;
  readonly #loaded: Loaded;
  readonly #trees = new Map<string, Tree>();
  /** Created when first needed, like the fields below: most transactions change one execution without an error. */
  #requests: Map<Tree, RequestLog> | undefined;
  #failed: Map<string, unknown> | undefined;
  #byIncarnation: ReadonlyMap<string, ExecutionRow> | undefined;
  readonly #removed: string[] = [];
  readonly #rows: ExecutionWrite[] = [];
  readonly #newRuns: RunRow[] = [];
  readonly #audit: AuditRow[] = [];
  #logs: LogRow[] | undefined;
  #dropLogs: { readonly runId: string; readonly beforeAttempt: number }[] | undefined;
  #removedRuns: string[] | undefined;
  #facts: Fact[] | undefined;
  #changedRuns: Map<string, RunRow> | undefined;

  constructor(context: BatchContext, loaded: Loaded) {
    this.#context = context;
    this.#loaded = loaded;
    this.now = loaded.now;
    this.rows = loaded.executions;
    this.runs = loaded.runs;
    this.names = new RunNames(context.refused);
  }

  rowOf(key: ExecutionKey): ExecutionRow | undefined {
    return this.rows.find(
      (row) =>
        row.key.id === key.id && row.key.namespace === key.namespace && row.key.archetype === key.archetype,
    );
  }

  /** The tree of a row; every caller in this batch gets the same tree. */
  open(row: ExecutionRow): Tree {
    let tree = this.#trees.get(row.incarnation);
    if (tree === undefined) {
      tree = this.#resumed(row) ?? this.#opened(row);
      this.#trees.set(row.incarnation, tree);
    }
    return tree;
  }

  create(key: ExecutionKey, incarnation: string, rootState: unknown): Tree {
    const tree = Tree.create(this.#origin(key, incarnation), rootState);
    this.#trees.set(incarnation, tree);
    return tree;
  }

  requestsOf(row: ExecutionRow): RequestLog {
    const { r } = this.#context.loading.document(row);
    if (r === undefined) return noRequests;
    return this.#readPart({ incarnation: row.incarnation, name: requestPart, stamp: r }) as RequestLog;
  }

  saveRequests(tree: Tree, log: RequestLog): void {
    this.#requests ??= new Map();
    this.#requests.set(tree, log);
  }

  /** Writes a row without a library of this node, unchanged. */
  saveRow(row: ExecutionWrite): void {
    this.#rows.push(row);
  }

  /** Quarantines an execution for a reason that was found only when it was written. */
  quarantine(row: ExecutionRow, error: unknown): void {
    this.#fail(row.incarnation, error);
  }

  /** Applies a change to the tree of a row; an error quarantines that execution and leaves the others alone. */
  isolate(row: ExecutionRow, change: (tree: Tree) => void): void {
    if (this.#failed?.has(row.incarnation)) return;
    try {
      change(this.open(row));
    } catch (error) {
      this.#fail(row.incarnation, error);
    }
  }

  /** Tells the owner of a run that the run ended. An error of the owner concerns only the owner: the run is finished all the same. */
  tellOwner(run: RunRow): void {
    const row = run.owner === null ? undefined : this.#row(run.owner);
    if (row === undefined) return;
    // A process without the owner's code must not finish its runs: the lease lapses and a process that has the code takes over.
    if (!this.#context.libraries.has(row.key.archetype)) throw unknownArchetype(row.key);
    this.isolate(row, (tree) => {
      tree.library.runFinished(tree.root, run);
    });
  }

  remove(incarnation: string): void {
    this.#removed.push(incarnation);
  }

  /** Inserts a run without an owner. */
  addRun(run: RunRow): void {
    this.#newRuns.push(run);
    this.names.give(run, '');
  }

  /** Adds lines of a run, which must be among those of the batch. */
  addLogs(rows: readonly LogRow[]): void {
    this.#logs ??= [];
    append(this.#logs, rows);
  }

  /** Removes the lines of a run's attempts before this one. */
  dropLogs(runId: string, beforeAttempt: number): void {
    this.#dropLogs ??= [];
    this.#dropLogs.push({ runId, beforeAttempt });
  }

  /** Audits a change of something that is not an execution. */
  audit(entry: Omit<AuditRow, 'at'>): void {
    this.#audit.push({ ...entry, at: this.now });
  }

  /** Reports a fact about something that is not an execution and that the fact itself names. */
  report(fact: Fact): void {
    this.#facts ??= [];
    this.#facts.push(fact);
  }

  saveRun(run: RunRow): void {
    this.#changedRuns ??= new Map();
    this.#changedRuns.set(run.id, run);
  }

  /** Removes a finished run with its lines. */
  removeRun(id: string): void {
    this.#removedRuns ??= [];
    this.#removedRuns.push(id);
  }

  finish({ isolating = false, keeping = isolating }: Finishing): {
    writes: Writes;
    afterCommit: AfterCommit;
  } {
    const executions: ExecutionWrite[] = [...this.#rows];
    const parts: PartRow[] = [];
    const dropParts: PartRef[] = [];
    let slots: SlotRow[] = [];
    let newEvents: EventRow[] = [];
    let events: EventRow[] = [];
    let audit = this.#audit;
    let started = this.#newRuns;
    const commits: TreeCommit[] = [];
    const dispatches: Dispatch[] = [];
    const facts: Reported[] = [];
    let work = workPerStep;
    let { starts } = this.#context;
    for (const tree of isolating ? this.#inOrder() : this.#trees.values()) {
      if (this.#failed?.has(tree.incarnation)) continue;
      // What is due stays due and is decided in the next step; an end of a run is written all the same.
      const isLater = isolating && (work <= 0 || starts <= 0);
      if (isLater && !tree.touched) {
        this.postponed += 1;
        continue;
      }
      try {
        work -= workPerExecution - tree.work.left;
        const share = Math.min(tree.work.left, Math.max(0, work));
        tree.work.left = share;
        settle(tree, isLater);
        work -= share - tree.work.left;
        const leased = this.#context.dispatching && tree.root.isOpen ? leaseDue(tree) : noDispatches;
        const commit = commitOf(tree, this.#requests?.get(tree));
        if (commit === undefined) continue;
        const { emitted, key } = tree;
        executions.push(commit.execution);
        if (keeping && !tree.exposed) commits.push(commit);
        if (commit.parts.length > 0) append(parts, commit.parts);
        if (commit.dropParts.length > 0) append(dropParts, commit.dropParts);
        if (tree.emits) {
          starts -= emitted.runs.length;
          slots = joined(slots, lastVerdicts(emitted.slots));
          started = joined(started, emitted.runs);
          audit = joined(audit, emitted.audit);
        }
        if (tree.usedEvents !== undefined) {
          newEvents = joined(newEvents, tree.usedEvents.added);
          events = joined(events, tree.usedEvents.changed);
        }
        if (leased.length > 0) append(dispatches, leased);
        if (emitted.facts.length > 0) facts.push({ key, of: emitted.facts });
      } catch (error) {
        if (!isolating) throw error;
        this.#fail(tree.incarnation, error);
      }
    }
    const incidents: Incident[] = [];
    const troubles: unknown[] = [];
    if (this.#failed !== undefined) {
      if (this.names.isMisled(this.#failed))
        throw new StoreError('conflict', 'a run that others gave way to is not started: decide one by one');
      for (const [incarnation, error] of this.#failed) {
        const row = this.#row(incarnation);
        if (row === undefined) throw error;
        if (error instanceof NewerVersion) {
          // The row is not broken, but this node cannot read it: it is left to a node that can.
          executions.push({ ...row, version: row.version + 1, wakeAt: addTime(this.now, newerCodeDelay) });
          troubles.push(error);
          continue;
        }
        executions.push(quarantineOf(row, describeIncident(error)));
        incidents.push({ key: row.key, error });
      }
    }
    const { placement } = this.#context;
    const placed = started.length === 0 ? undefined : placement.place(started, this.now, this.#ending());
    const newRuns = placed === undefined ? started : placed.runs;
    if (this.#facts !== undefined) facts.push({ key: null, of: this.#facts });
    if (placed?.facts !== undefined) facts.push({ key: null, of: placed.facts });
    const runs = this.#changedRuns === undefined ? noRuns : [...this.#changedRuns.values()];
    const remove = this.#removed;
    const writes = { executions, parts, dropParts, slots, runs, newEvents, events, audit, remove, newRuns };
    if (this.#logs !== undefined)
      Object.assign(writes, {
        logs: this.#logs,
        ...(this.#dropLogs === undefined ? {} : { dropLogs: this.#dropLogs }),
      });
    if (this.#removedRuns !== undefined) Object.assign(writes, { removeRuns: this.#removedRuns });
    const afterCommit = { dispatches, facts, incidents, troubles, placed, parts, commits };
    return { writes, afterCommit };
  }

  /**
   * The trees in the order in which they are due. Executions came first if runs of theirs ended, and would otherwise use up the
   * starts of every step while others wait.
   */
  #inOrder(): Iterable<Tree> {
    if (this.#changedRuns === undefined || this.#trees.size === 1) return this.#trees.values();
    const dueAt = ({ row }: Tree) => (row === undefined ? null : dueTime(row)) ?? Number.POSITIVE_INFINITY;
    return [...this.#trees.values()].sort((a, b) => dueAt(a) - dueAt(b) || 0);
  }

  /** The number of runs that this transaction ends. */
  #ending(): number {
    let count = 0;
    if (this.#changedRuns !== undefined)
      for (const { state } of this.#changedRuns.values()) if (state === 'done') count += 1;
    return count;
  }

  #fail(incarnation: string, error: unknown): void {
    this.#failed ??= new Map();
    this.#failed.set(incarnation, error);
  }

  #row(incarnation: string): ExecutionRow | undefined {
    if (this.rows.length === 1) return this.rows[0]?.incarnation === incarnation ? this.rows[0] : undefined;
    this.#byIncarnation ??= new Map(this.rows.map((row) => [row.incarnation, row]));
    return this.#byIncarnation.get(incarnation);
  }

  #resumed(row: ExecutionRow): Tree | undefined {
    const tree = this.#context.loading.kept(row);
    const { now, names } = this;
    const loadedEvents = this.#loaded.events;
    tree?.resume({ now, readPart: this.#readPart, names, loadedEvents }, row);
    return tree;
  }

  #opened(row: ExecutionRow): Tree {
    return Tree.open(this.#origin(row.key, row.incarnation), row, this.#context.loading.document(row));
  }

  #origin(key: ExecutionKey, incarnation: string) {
    const library = this.#context.libraries.get(key.archetype);
    if (library === undefined) throw unknownArchetype(key);
    const { now, names } = this;
    const readPart = this.#readPart;
    const loadedEvents = this.#loaded.events;
    return { library, key, incarnation, now, readPart, names, loadedEvents, mutable: true };
  }

  readonly #readPart = (ref: PartRef): unknown => {
    const { loading } = this.#context;
    return loading.part(ref) ?? loading.addPart(ref, this.#loaded.part(ref));
  };
}

/** One transaction may judge a slot twice (buffered, then paused); only the last verdict is written. */
function lastVerdicts(slots: SlotRow[]): SlotRow[] {
  if (slots.length < 2) return slots;
  return [...new Map(slots.map((slot) => [`${slot.cause} ${slot.nominal}`, slot])).values()];
}

/** Most transactions are about one execution: its list is used without a copy. */
function joined<T>(list: T[], more: T[]): T[] {
  if (more.length === 0) return list;
  if (list.length === 0) return more;
  append(list, more);
  return list;
}

function append<T>(list: T[], more: readonly T[]): void {
  for (let index = 0; index < more.length; index += 1) list.push(more[index] as T);
}

function describeIncident(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

export function unknownArchetype(key: ExecutionKey): ServiceError {
  return new ServiceError({
    code: 'internal',
    reason: 'UNKNOWN_ARCHETYPE',
    message: `no library for the archetype '${key.archetype}' is loaded in this process`,
  });
}
