/**
 * What is shown of a schedule whose row was read: an outline, a summary, a snapshot, a description. A row that cannot be read (it is
 * damaged, or a newer version wrote it) is shown by a stand-in with a marker, so that lists and pages go on.
 *
 * Snapshots and descriptions are kept until the row changes, because pages ask for the same ones again and again. They share
 * stored objects: callers must not change them.
 */
import type { Clock } from '../base/clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { ScheduleView } from '../scheduler/schedule.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { ListedExecution, RunRow } from '../store/records.ts';
import type { Page, Store } from '../store/store.ts';
import { futureOf } from './future-times.ts';
import { recentRun } from './recent-runs.ts';
import type { ScheduleOutline } from './schedule-outline.ts';
import { outlineOf } from './schedule-outline.ts';
import type { ScheduleSnapshot } from './schedule-snapshot.ts';
import { snapshotOf } from './schedule-snapshot.ts';
import type { ScheduleDescription, ShownRuns } from './schedule-view.ts';
import { describe, summarize } from './schedule-view.ts';
import { SnapshotCache, shownSize } from './snapshot-cache.ts';
import type { Unreadable } from './unreadable.ts';
import { markedRow, standInView, unreadableBy } from './unreadable.ts';

export interface ScheduleRowsOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
}

/** The finished runs in a description, as many as in Temporal. */
const recentRuns = 10;
/** The most unfinished runs in a description; the summary has their total. */
const shownRunning = 100;
const noRuns: Page<RunRow> = { items: [], next: null };
/** Reads the unfinished runs of a schedule whose row cannot be read from the run table. */
const unknownCount = 1;

export class ScheduleRows {
  readonly #engine: Engine;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #snapshots = new SnapshotCache<ScheduleSnapshot>();
  readonly #descriptions = new SnapshotCache<ScheduleDescription>();

  constructor({ engine, store, clock }: ScheduleRowsOptions) {
    this.#engine = engine;
    this.#store = store;
    this.#clock = clock;
    store.watch?.(({ kind }) => {
      if (kind !== 'rewound') return;
      this.#snapshots.clear();
      this.#descriptions.clear();
    });
  }

  /** Throws when the row or one of its parts cannot be read. */
  async view(row: ListedExecution): Promise<ScheduleView> {
    const view = await this.#engine.view(Schedule, row, row.key, (node) => node);
    // Cold state is parsed lazily; this access makes a damaged part fail here.
    void view.child('definition').state;
    void view.child('lastCompletion').state;
    return view;
  }

  async outline(row: ListedExecution): Promise<ScheduleOutline> {
    try {
      return outlineOf(await this.view(row), row);
    } catch (error) {
      if (unreadableBy(error) === undefined) throw error;
      return outlineOf(await this.#standIn(row), row);
    }
  }

  async summary(row: ListedExecution): Promise<ReturnType<typeof summarize>> {
    try {
      return await this.#engine.view(Schedule, row, row.key, (view) => summarize(view, row));
    } catch (error) {
      const unreadable = unreadableBy(error);
      if (unreadable === undefined) throw error;
      const view = await this.#standIn(row);
      return { ...summarize(view, markedRow(row, unreadable)), ...partial(row, unreadable) };
    }
  }

  async snapshot(row: ListedExecution): Promise<ScheduleSnapshot> {
    const now = this.#clock.now();
    const known = this.#snapshots.find(row, now);
    if (known !== undefined) return known;
    let view: ScheduleView;
    try {
      view = await this.view(row);
    } catch (error) {
      const unreadable = unreadableBy(error);
      if (unreadable === undefined) throw error;
      const marked = { ...row, incident: row.incident ?? unreadable.reason };
      const standIn = await this.#standIn(row);
      const runs = await this.#runsOf(row, unknownCount);
      return snapshotOf(standIn, marked, runs, await futureOf(standIn));
    }
    const runs = await this.#runsOf(row, view.child('invoker').state.open);
    const snapshot = snapshotOf(view, row, runs, await futureOf(view));
    this.#snapshots.keep(row, snapshot, now, shownSize(snapshot.definition));
    return snapshot;
  }

  async describe(row: ListedExecution): Promise<ScheduleDescription> {
    const now = this.#clock.now();
    const known = this.#descriptions.find(row, now);
    if (known !== undefined) return known;
    let view: ScheduleView;
    try {
      view = await this.view(row);
    } catch (error) {
      return await this.#describeUnreadable(row, error);
    }
    const { open } = view.child('invoker').state;
    const shown = describe(view, row, await this.#runsOf(row, open), await futureOf(view));
    // A worker that starts or retries a run does not change the schedule's row, so a cached description is only valid
    // without unfinished runs.
    if (open === 0) {
      const handedOn = view.child('lastCompletion').state.result?.length ?? 0;
      this.#descriptions.keep(row, shown, now, shownSize(view.child('definition').state) + 2 * handedOn);
    }
    return shown;
  }

  async #describeUnreadable(row: ListedExecution, error: unknown): Promise<ScheduleDescription> {
    const unreadable = unreadableBy(error);
    if (unreadable === undefined) throw error;
    const view = await this.#standIn(row);
    const { items } = await this.#store.runs({ owner: row.incarnation, states: ['done'], limit: recentRuns });
    const runs = { recent: items.map(recentRun), running: [] };
    const shown = describe(view, markedRow(row, unreadable), runs, await futureOf(view));
    return { ...shown, ...partial(row, unreadable) };
  }

  async #standIn(row: ListedExecution): Promise<ScheduleView> {
    return await standInView(this.#store, row, this.#clock.now());
  }

  /** The newest unfinished runs, in order of their start, and the newest finished ones. */
  async #runsOf({ incarnation: owner }: ListedExecution, open: number): Promise<ShownRuns> {
    const [recent, running] = await Promise.all([
      this.#store.runs({ owner, states: ['done'], limit: recentRuns }),
      open === 0 ? noRuns : this.#store.runs({ owner, states: ['waiting', 'leased'], limit: shownRunning }),
    ]);
    return { recent: recent.items.map(recentRun), running: [...running.items].reverse() };
  }
}

/** The marker of a schedule that can only be read in part, and the values that its row has. */
function partial({ signals }: ListedExecution, { reason }: Unreadable) {
  const { $running = 0, $buffered = 0 } = signals;
  return { unreadable: reason, runningCount: $running, waitingCount: $buffered };
}
