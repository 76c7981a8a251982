/**
 * Every use case of schedules, once. Doors translate into these calls and nothing else; in-process callers use them
 * directly. Every mutation says who did it and through which door, and is audited in its own transaction.
 */
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import type { Engine } from '../engine/engine.ts';
import { readStamp } from '../engine/history.ts';
import type { Library } from '../engine/library.ts';
import { auditChange, auditTarget } from '../scheduler/audit.ts';
import { cancelBackfill } from '../scheduler/backfill-verbs.ts';
import { compiledOf } from '../scheduler/compiled-of.ts';
import type { MissedPolicy, ScheduleDefinition } from '../scheduler/definition.ts';
import { Definition, missedPolicies, overlapPolicies } from '../scheduler/definition.ts';
import type { BackfillRequest, TriggerRequest } from '../scheduler/edit.ts';
import {
  addBackfill,
  begin,
  checkToken,
  newScheduleState,
  remove,
  replaceDefinition,
  touch,
  trigger,
} from '../scheduler/edit.ts';
import type { Explanation } from '../scheduler/explain.ts';
import { explain, slotBehind } from '../scheduler/explain.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { SchedulePatch } from '../scheduler/patch.ts';
import { applyPatch, patchAction } from '../scheduler/patch.ts';
import { pause, resume } from '../scheduler/pause.ts';
import { rest } from '../scheduler/rest.ts';
import type { ScheduleNode, ScheduleView } from '../scheduler/schedule.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { Occurrence, Times } from '../spec/index.ts';
import { timeZoneVersion } from '../spec/index.ts';
import type {
  AuditRow,
  ExecutionKey,
  ExecutionStatus,
  ListedExecution,
  RunRow,
  SlotRow,
} from '../store/records.ts';
import type { Filter, Page, SlotQuery, Store } from '../store/store.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { largestPage, longestId, longestNamespace } from './limits.ts';
import { recentRun } from './recent-runs.ts';
import type { ScheduleHistory } from './schedule-history.ts';
import { readHistory } from './schedule-history.ts';
import type { ScheduleSnapshot } from './schedule-snapshot.ts';
import { snapshotOf } from './schedule-snapshot.ts';
import type { ScheduleDescription, ScheduleSummary } from './schedule-view.ts';
import { describe, summarize } from './schedule-view.ts';
import { SnapshotCache, shownSize } from './snapshot-cache.ts';

export interface ScheduleName {
  readonly namespace: string;
  readonly id: string;
}

/** On whose behalf a change is made. */
export interface Caller {
  readonly actor: string;
  readonly door: string;
  /** A repeated id changes nothing and gets the first answer again. */
  readonly requestId?: string;
  /** Conflict token: the change is refused when the schedule has another one by now. Absent: unconditional. */
  readonly token?: number;
  readonly note?: string;
}

/** What a change answers: the token to send with the next one. */
export interface Changed {
  readonly token: number;
}

export interface ScheduleQuery {
  readonly namespace: string;
  readonly filter?: Filter;
  readonly includeClosed?: boolean;
  /** Only closed ones, whatever `includeClosed` says. */
  readonly onlyClosed?: boolean;
  /** Only those set aside because their code failed, or only the others. */
  readonly quarantined?: boolean;
  readonly after?: string;
  readonly limit?: number;
}

export interface ScheduleServiceOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly library: Library<typeof Schedule>;
}

/** Finished runs shown with a description, as in Temporal. */
const recentRuns = 10;

/** Schedules of a page whose runs are read at the same time. */
const snapshotsAtOnce = 50;

export class ScheduleService {
  readonly #engine: Engine;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #library: Library<typeof Schedule>;
  readonly #snapshots = new SnapshotCache<ScheduleSnapshot>();
  readonly #descriptions = new SnapshotCache<ScheduleDescription>();

  constructor(options: ScheduleServiceOptions) {
    this.#engine = options.engine;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#library = options.library;
  }

  /** `patch`: what happens to the new schedule in the same moment, so that nobody ever sees it without. */
  async create(
    name: ScheduleName,
    draft: DefinitionDraft,
    caller: Caller,
    patch?: SchedulePatch,
  ): Promise<Changed & { readonly created: boolean }> {
    checkName(name);
    const now = this.#clock.now();
    const { created } = await this.#engine.create(
      this.#library,
      name,
      newScheduleState(now, draft.remaining ?? null),
      (schedule) => {
        const { paused } = draft;
        const definition = this.#definitionOf(name, draft);
        begin(schedule, { ...definition, paused: null, remaining: draft.remaining ?? null });
        if (paused !== undefined && paused !== null) pause(schedule, { by: caller.actor, note: paused.note });
        if (patch !== undefined) applyPatch(schedule, patch, caller.actor);
        rest(schedule);
        auditChange(schedule, caller, 'create', null);
        return undefined;
      },
      caller.requestId === undefined ? {} : { requestId: caller.requestId },
    );
    return { token: 1, created };
  }

  /**
   * Replaces the whole definition. A pause survives unless the draft says otherwise. A draft that depends on what is
   * replaced is a pure function of it, called inside the transaction.
   */
  async update(
    name: ScheduleName,
    given: DefinitionDraft | ((before: ScheduleDefinition) => DefinitionDraft),
    caller: Caller & { readonly isRepeated?: boolean },
  ): Promise<Changed> {
    return await this.#change(name, 'update', caller, (schedule) => {
      const replaced = schedule.child('definition').state;
      const draft = typeof given === 'function' ? given(replaced) : given;
      const { paused } = draft;
      const { paused: before, remaining: asked } = replaced;
      const { remaining = asked } = draft;
      const definition = {
        // Jitter moves only when somebody says so.
        ...this.#definitionOf(name, { seed: replaced.seed, ...draft }),
        paused: before,
        remaining,
      };
      const isGiven = draft.remaining !== undefined && !(caller.isRepeated === true && remaining === asked);
      replaceDefinition(schedule, { definition, ...(isGiven ? { remaining } : {}) });
      if (paused !== undefined && paused !== null && before === null)
        pause(schedule, { by: caller.actor, note: paused.note });
      if (paused === null && before !== null)
        resume(schedule, { by: caller.actor, note: draft.note, missed: 'skip' });
      return {};
    });
  }

  /** Creates it, or replaces what is there. Saying the same again, as every deploy does, gives no new actions. */
  async upsert(
    name: ScheduleName,
    draft: DefinitionDraft,
    caller: Caller,
  ): Promise<Changed & { readonly created: boolean }> {
    const replace = async () => ({
      ...(await this.update(name, draft, { ...caller, isRepeated: true })),
      created: false,
    });
    // A request that may be a repetition asks first whether it created the schedule the last time.
    if (caller.requestId === undefined) {
      try {
        return await replace();
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    try {
      return await this.create(name, draft, caller);
    } catch (error) {
      if (ServiceError.from(error).reason !== 'ALREADY_EXISTS') throw error;
      return await replace();
    }
  }

  async pause(name: ScheduleName, caller: Caller & { readonly until?: Instant }): Promise<Changed> {
    return await this.#change(name, 'pause', caller, (schedule) => {
      const { actor, note = '', until } = caller;
      pause(schedule, { by: actor, note, ...(until === undefined ? {} : { until }) });
      return {};
    });
  }

  async resume(name: ScheduleName, caller: Caller & { readonly missed?: MissedPolicy }): Promise<Changed> {
    const { missed = 'skip' } = caller;
    checkWord('missed', missed, missedPolicies);
    return await this.#change(name, 'resume', caller, (schedule) => {
      resume(schedule, { by: caller.actor, note: caller.note ?? '', missed });
      return {};
    });
  }

  /** Starts a run now. Answers with the cause under which the ledger knows it. */
  async trigger(
    name: ScheduleName,
    request: TriggerRequest,
    caller: Caller,
  ): Promise<Changed & { readonly cause: string }> {
    checkWord('overlap', request.overlap, overlapPolicies);
    return await this.#change(name, 'trigger', caller, (schedule) => ({ cause: trigger(schedule, request) }));
  }

  async backfill(
    name: ScheduleName,
    request: BackfillRequest,
    caller: Caller,
  ): Promise<Changed & { readonly id: string }> {
    checkRange(request);
    checkWord('overlap', request.overlap, overlapPolicies);
    return await this.#change(name, 'backfill', caller, (schedule) => ({
      id: addBackfill(schedule, request),
    }));
  }

  /** Several of the above as one change. */
  async patch(name: ScheduleName, patch: SchedulePatch, caller: Caller): Promise<Changed> {
    return await this.#change(name, patchAction(patch), caller, (schedule) => {
      applyPatch(schedule, patch, caller.actor);
      return {};
    });
  }

  async cancelBackfill(
    name: ScheduleName,
    id: string,
    caller: Caller,
  ): Promise<Changed & { readonly cancelled: number | null }> {
    return await this.#change(name, 'cancelBackfill', caller, (schedule) => ({
      cancelled: cancelBackfill(schedule, id, caller.actor),
    }));
  }

  /** The exact slots a backfill would run. */
  async previewBackfill(name: ScheduleName, request: BackfillRequest, limit = 1000): Promise<Times> {
    checkRange(request);
    return await this.#read(name, (view) => {
      const definition = view.child('definition').state;
      return compiledOf(definition).between(
        { from: addTime(request.from, -1), to: request.to },
        limit,
        definition.seed,
      );
    });
  }

  async delete(name: ScheduleName, caller: Caller): Promise<void> {
    await this.#change(name, 'delete', caller, (schedule) => {
      remove(schedule, caller.actor);
      return {};
    });
  }

  /** Lets a quarantined schedule go on. */
  async release(name: ScheduleName, caller: Caller): Promise<void> {
    // Whatever is written about a schedule sets it going again by its own tasks.
    await this.#change(name, 'release', caller, () => ({}));
  }

  /** Shares what is stored: to be looked at, never changed. */
  async describe(name: ScheduleName): Promise<ScheduleDescription> {
    const row = await this.#row(name);
    const now = this.#clock.now();
    const known = this.#descriptions.find(row, now);
    if (known !== undefined) return known;
    const view = await this.#engine.view(Schedule, row, row.key, (node) => node);
    const ids = view.child('invoker').state.running.map(({ runId }) => runId);
    const [recent, running] = await Promise.all([
      this.#store.runs({ owner: row.incarnation, states: ['done'], limit: recentRuns }),
      ids.length === 0 ? { items: [] } : this.#store.runs({ ids, limit: ids.length }),
    ]);
    const shown = describe(view, row, { recent: recent.items.map(recentRun), running: running.items });
    // A worker that takes up a run, or tries it again, writes nothing into the schedule's row.
    if (ids.length === 0) {
      const handedOn = view.child('lastCompletion').state.result?.length ?? 0;
      this.#descriptions.keep(row, shown, now, shownSize(view.child('definition').state) + 2 * handedOn);
    }
    return shown;
  }

  /** What doors with words of their own make their answers of. Shares what is stored: never to be changed. */
  async snapshot(name: ScheduleName): Promise<ScheduleSnapshot> {
    return await this.#snapshotOf(await this.#row(name));
  }

  async snapshots(query: ScheduleQuery): Promise<Page<ScheduleSnapshot>> {
    const page = await this.#page(query);
    const items: ScheduleSnapshot[] = [];
    // Side by side, but not a whole page at once: others want the store too.
    for (let from = 0; from < page.items.length; from += snapshotsAtOnce) {
      const rows = page.items.slice(from, from + snapshotsAtOnce);
      items.push(...(await Promise.all(rows.map((row) => this.#snapshotOf(row)))));
    }
    return { items, next: page.next };
  }

  async #snapshotOf(row: ListedExecution): Promise<ScheduleSnapshot> {
    const now = this.#clock.now();
    const known = this.#snapshots.find(row, now);
    if (known !== undefined) return known;
    const [view, recent] = await Promise.all([
      this.#engine.view(Schedule, row, row.key, (node) => node),
      this.#store.runs({ owner: row.incarnation, states: ['done'], limit: recentRuns }),
    ]);
    const snapshot = snapshotOf(view, row, recent.items.map(recentRun));
    this.#snapshots.keep(row, snapshot, now, shownSize(snapshot.definition));
    return snapshot;
  }

  async list(query: ScheduleQuery): Promise<Page<ScheduleSummary>> {
    const page = await this.#page(query);
    const items: ScheduleSummary[] = [];
    for (const row of page.items) {
      items.push(
        await this.#engine.view(Schedule, row, row.key, (view) => {
          const { definition: _, ...summary } = summarize(view, row);
          return structuredClone(summary);
        }),
      );
    }
    return { items, next: page.next };
  }

  async count(query: ScheduleQuery): Promise<number> {
    return await this.#store.count(listQuery(query));
  }

  /** Coming times after `after`, by the schedule's own spec. */
  async next(name: ScheduleName, after: Instant, limit: number): Promise<readonly Occurrence[]> {
    return await this.#read(name, (view) => {
      const definition = view.child('definition').state;
      const compiled = compiledOf(definition);
      const times: Occurrence[] = [];
      for (let from = after; times.length < Math.min(limit, largestPage); ) {
        const found = compiled.search(from, { seed: definition.seed });
        if (found.kind !== 'found') break;
        times.push({ nominal: found.nominal, actual: found.actual });
        from = found.nominal;
      }
      return times;
    });
  }

  /** Why it did, or did not, run at that time. */
  async explain(name: ScheduleName, asked: Instant): Promise<readonly Explanation[]> {
    const row = await this.#row(name);
    const { incarnation } = row;
    const parts = await this.#store.parts({ incarnation, name: Definition.name });
    const versions = parts.map((part) => ({
      stamp: part.stamp,
      at: part.at,
      definition: readStamp(Definition, part.data),
    }));
    const at = slotBehind(versions, asked);
    const slots = await this.#store.slots({ incarnation, from: at, to: at, limit: largestPage });
    const ids = slots.items.flatMap((slot) => namedRuns(slot));
    const runs = ids.length === 0 ? [] : (await this.#store.runs({ ids, limit: ids.length })).items;
    const cursor = await this.#engine.view(
      Schedule,
      row,
      row.key,
      (view) => view.child('generator').state.cursor,
    );
    return explain({
      at,
      now: this.#clock.now(),
      createdAt: row.createdAt,
      closedAt: row.closedAt,
      versions,
      slots: slots.items,
      cursor,
      runs: new Map(runs.map((run) => [run.id, run])),
    });
  }

  /** Every stored version of when, and how far it has come. */
  async history(name: ScheduleName): Promise<ScheduleHistory> {
    const now = this.#clock.now();
    return await readHistory({ store: this.#store, engine: this.#engine, row: await this.#row(name), now });
  }

  /** The ledger of a schedule. */
  async slots(name: ScheduleName, query: Omit<SlotQuery, 'incarnation'>): Promise<Page<SlotRow>> {
    const { incarnation } = await this.#row(name);
    return await this.#store.slots({ ...query, incarnation });
  }

  /** The runs of a schedule, newest first. */
  async runs(
    name: ScheduleName,
    query: { readonly after?: string; readonly limit: number },
  ): Promise<Page<RunRow>> {
    const { incarnation } = await this.#row(name);
    return await this.#store.runs({ ...query, owner: incarnation });
  }

  async audit(
    name: ScheduleName,
    query: { readonly after?: string; readonly limit: number },
  ): Promise<Page<AuditRow>> {
    return await this.#store.audit({ ...query, namespace: name.namespace, target: auditTarget(name.id) });
  }

  async #change<T extends object>(
    name: ScheduleName,
    action: string,
    caller: Caller,
    change: (schedule: ScheduleNode) => T,
  ): Promise<Changed & T> {
    const options = caller.requestId === undefined ? {} : { requestId: caller.requestId };
    const answer = await this.#engine.update(
      Schedule,
      keyOf(name),
      (schedule): object => {
        checkToken(schedule, caller.token);
        const before = schedule.child('definition').state;
        const result = change(schedule);
        touch(schedule);
        if (schedule.state.closed === null) rest(schedule);
        auditChange(schedule, caller, action, before);
        return { ...result, token: schedule.state.token };
      },
      options,
    );
    return answer as Changed & T;
  }

  async #page(query: ScheduleQuery): Promise<Page<ListedExecution>> {
    return await this.#store.list({
      ...listQuery(query),
      limit: Math.min(query.limit ?? 100, largestPage),
      ...(query.after === undefined ? {} : { after: query.after }),
    });
  }

  async #row(name: ScheduleName): Promise<ListedExecution> {
    const [row] = await this.#store.read({ keys: [keyOf(name)] });
    if (row === undefined) throw notFound(name);
    return row;
  }

  async #read<T>(name: ScheduleName, view: (schedule: ScheduleView) => T): Promise<T> {
    return await this.#engine.read(Schedule, keyOf(name), view);
  }

  #definitionOf(
    name: ScheduleName,
    draft: DefinitionDraft,
  ): Omit<ScheduleDefinition, 'paused' | 'remaining'> {
    const { spec, action, policy, note, description, owner, tags, memo, attributes, origin } = draft;
    const { seed = `${name.namespace}-${name.id}` } = draft;
    return {
      spec,
      action,
      policy,
      note,
      description,
      owner,
      tags,
      memo,
      attributes,
      ...(origin === undefined ? {} : { origin }),
      seed,
      timeZoneVersion: timeZoneVersion(),
    };
  }
}

function isGone(error: unknown): boolean {
  const { reason } = ServiceError.from(error);
  return reason === 'NOT_FOUND' || reason === 'EXECUTION_CLOSED';
}

function keyOf({ namespace, id }: ScheduleName): ExecutionKey {
  return { namespace, archetype: scheduleArchetype, id };
}

function namedRuns(slot: SlotRow): readonly string[] {
  const blocker =
    slot.detail === null ? undefined : (JSON.parse(slot.detail) as { blockedBy?: string }).blockedBy;
  return [slot.runId, blocker].filter((id) => id !== null && id !== undefined);
}

function listQuery({ namespace, filter, includeClosed, onlyClosed, quarantined }: ScheduleQuery) {
  const status: ExecutionStatus | undefined =
    onlyClosed === true ? 'closed' : includeClosed === true ? undefined : 'open';
  return {
    namespace,
    archetype: scheduleArchetype,
    ...(status === undefined ? {} : { status }),
    ...(quarantined === undefined ? {} : { quarantined }),
    ...(filter === undefined ? {} : { filter }),
  };
}

/** A NUL or half a surrogate pair: stores would cut it off or replace it, and two names would become one. */
const unstorable = /\0|\p{Surrogate}/u;

function checkName({ namespace, id }: ScheduleName): void {
  const problems = [];
  for (const [path, name] of Object.entries({ id, namespace })) {
    if (!unstorable.test(name)) continue;
    problems.push({
      path,
      reason: path === 'id' ? 'BAD_ID' : 'BAD_NAMESPACE',
      message: `${JSON.stringify(name)} holds a NUL character or half a character`,
      fix: 'leave it out',
    });
  }
  if (id === '' || id.length > longestId) {
    problems.push({
      path: 'id',
      reason: 'BAD_ID',
      message: `an id has 1 to ${longestId} characters, this one ${id.length}`,
      fix: 'write a short name such as nightly-report',
    });
  }
  if (namespace === '' || namespace.length > longestNamespace) {
    problems.push({
      path: 'namespace',
      reason: 'BAD_NAMESPACE',
      message: `a namespace has 1 to ${longestNamespace} characters`,
      fix: 'write a short name such as default',
    });
  }
  if (problems.length > 0) throw ServiceError.invalid(problems);
}

function checkRange({ from, to, ratePerMinute }: BackfillRequest): void {
  const problems = [];
  if (!(from <= to))
    problems.push({
      path: 'to',
      reason: 'BEFORE_FROM',
      message: 'the range ends before it begins',
      fix: 'write a time that is not before from',
    });
  if (ratePerMinute !== undefined && !(Number.isSafeInteger(ratePerMinute) && ratePerMinute >= 1)) {
    problems.push({
      path: 'ratePerMinute',
      reason: 'TOO_SMALL',
      message: 'a rate is a whole number of at least one per minute',
      fix: 'write 1 or more, or leave it out',
    });
  }
  if (problems.length > 0) throw ServiceError.invalid(problems);
}

function checkWord(path: string, given: string | undefined, words: readonly string[]): void {
  if (given === undefined || words.includes(given)) return;
  const fix = `write one of ${words.join(', ')}`;
  throw ServiceError.invalid([{ path, reason: 'UNKNOWN_VALUE', message: `'${given}' is not known`, fix }]);
}

function notFound({ namespace, id }: ScheduleName): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no schedule '${id}' in the namespace '${namespace}'`,
  });
}
