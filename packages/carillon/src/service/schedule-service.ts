/**
 * All changes of schedules; the queries are in `schedule-reads.ts`. Doors only translate to these calls; embedded
 * callers use them directly. Every change names its actor and its door, and its transaction also writes the audit
 * log.
 */
import { restoreAction, secretWarnings } from '../action/redaction.ts';
import type { Problem } from '../base/error.ts';
import { isServiceError, ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import { isSameJson } from '../base/same-json.ts';
import type { Instant } from '../base/time.ts';
import type { Library } from '../engine/library.ts';
import type { Rehearsed } from '../engine/options.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { auditChange, auditTarget } from '../scheduler/audit.ts';
import { cancelBackfill } from '../scheduler/backfill-verbs.ts';
import type { BackfillRequest, TriggerRequest } from '../scheduler/changes.ts';
import {
  addBackfill,
  checkToken,
  fillSchedule,
  newScheduleState,
  remove,
  replaceDefinition,
  touch,
  trigger,
} from '../scheduler/changes.ts';
import type { MissedWord, ScheduleAction, ScheduleDefinition } from '../scheduler/definition.ts';
import { missedPolicyOf, missedWords, overlapPolicies } from '../scheduler/definition.ts';
import { planIdle } from '../scheduler/idle.ts';
import type { SchedulePatch } from '../scheduler/patch.ts';
import { applyPatch, patchAction } from '../scheduler/patch.ts';
import { pause, resume } from '../scheduler/pause.ts';
import type { ScheduleNode } from '../scheduler/schedule.ts';
import { Schedule } from '../scheduler/schedule.ts';
import type { Verdict } from '../scheduler/verdict.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import type { Acted, Changed, Deleted, Triggered, WaitingRuns, Written } from './api.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { seedOf, storedDefinition } from './definition-draft.ts';
import { checkOutlook, isWithoutTimes } from './outlook.ts';
import { checkName, checkRange, checkWord, demandQueue } from './schedule-checks.ts';
import type { ScheduleName, ScheduleReadsOptions } from './schedule-reads.ts';
import { keyOf, ScheduleReads } from './schedule-reads.ts';
import { checkSearchable, isUnsearchable } from './spec-search.ts';
import { keepOtherWords } from './write-back.ts';

/** The caller of a change. */
export interface Caller {
  readonly actor: string;
  readonly door: string;
  /** The idempotency key: a repeated call with the same key changes nothing and returns the first answer. */
  readonly requestId?: string;
  /** The conflict token: the change is refused when the schedule has another token by now. Absent: unconditional. */
  readonly token?: number;
  readonly note?: string;
  /** Queues on which this caller may not start work; absent when there are none. */
  readonly barred?: readonly string[];
  /** Decides as always and writes nothing: called with what would have been written. */
  readonly rehearsed?: Rehearsed;
}

export interface PauseCaller extends Caller {
  /** The time at which the schedule resumes by itself. */
  readonly until?: Instant;
  /** Leaves a schedule alone that is paused already, with its note and its end. Default: false. */
  readonly keepsPause?: boolean;
}

export interface ScheduleServiceOptions extends ScheduleReadsOptions {
  readonly library: Library<typeof Schedule>;
  /** Cancels runs of deleted schedules; absent: they are kept. */
  readonly runs?: Pick<RunQueue, 'cancel'>;
}

/** The runs of a deleted schedule that are cancelled in one transaction. */
const cancelledAtOnce = 200;

export class ScheduleService extends ScheduleReads {
  readonly #library: Library<typeof Schedule>;
  readonly #runs: Pick<RunQueue, 'cancel'> | undefined;

  constructor(options: ScheduleServiceOptions) {
    super(options);
    this.#library = options.library;
    this.#runs = options.runs;
  }

  /** Creates a schedule. `patch` is applied in the same transaction, so that no reader sees the schedule without it. */
  async create(
    name: ScheduleName,
    draft: DefinitionDraft,
    caller: Caller & { readonly isRepeated?: boolean },
    patch?: SchedulePatch,
  ): Promise<Written & { readonly created: boolean }> {
    checkName(name);
    restored(draft, undefined);
    demandQueue(draft.action.queue, caller);
    const now = this.clock.now();
    const warnings = await this.#checkSpec(name, draft, caller.isRepeated === true);
    const { created } = await this.engine.create(
      this.#library,
      name,
      newScheduleState(now, draft.remaining ?? null),
      (schedule) => {
        const { paused } = draft;
        const definition = storedDefinition(name, draft);
        fillSchedule(schedule, { ...definition, paused: null, remaining: draft.remaining ?? null });
        if (paused !== undefined && paused !== null) pause(schedule, { by: caller.actor, note: paused.note });
        if (patch !== undefined) applyPatch(schedule, patch, caller.actor);
        planIdle(schedule);
        auditChange(schedule, caller, 'create', null);
        return undefined;
      },
      engineOptions(caller),
    );
    return { token: 1, created, ...warned([...warnings, ...secretWarnings(draft.action)]) };
  }

  /**
   * Replaces the whole definition. A pause is kept unless the draft sets it. A draft that depends on the present
   * definition is a pure function of it, called inside the transaction.
   */
  async update(
    name: ScheduleName,
    asked: DefinitionDraft | ((before: ScheduleDefinition) => DefinitionDraft),
    caller: Caller & { readonly isRepeated?: boolean },
  ): Promise<Written & Acted> {
    // A repeated request does not call the function, so these are the warnings of the draft itself.
    let warnings: readonly Problem[] = typeof asked === 'function' ? [] : secretWarnings(asked.action);
    // Checked before the transaction, which must not wait; the transaction stores what was checked.
    const isDeclared = caller.isRepeated === true;
    let checked = await this.#checkedSpec(name, asked, isDeclared);
    const change = (schedule: ScheduleNode) => {
      const replaced = schedule.child('definition').state;
      const wanted = restored(typeof asked === 'function' ? asked(replaced) : asked, replaced);
      const draft = keepOtherWords(replaced, wanted);
      if (!isKnown(draft.spec, checked.spec, replaced.spec)) throw new UncheckedSpec();
      warnings = secretWarnings(draft.action);
      demandQueue(draft.action.queue, caller);
      const { paused } = draft;
      const { paused: before, remaining: wantedBefore } = replaced;
      const { remaining = wantedBefore } = draft;
      const definition = {
        // The seed, and so the jitter, changes only when the draft sets it.
        ...storedDefinition(name, { seed: replaced.seed, ...draft }),
        paused: before,
        remaining,
      };
      // What every deploy repeats is not a change.
      const repeats =
        caller.isRepeated === true && (paused === undefined || (paused === null) === (before === null));
      if (repeats && isSameJson(definition, replaced)) return { isChanged: false };
      const isGiven =
        draft.remaining !== undefined && !(caller.isRepeated === true && remaining === wantedBefore);
      replaceDefinition(schedule, { definition, ...(isGiven ? { remaining } : {}) });
      if (paused !== undefined && paused !== null && (before === null || paused.renews === true))
        pause(schedule, { by: caller.actor, note: paused.note });
      if (paused === null && before !== null)
        resume(schedule, { by: caller.actor, note: draft.note, missed: 'skip' });
      return { isChanged: true };
    };
    for (let tries = 1; ; tries += 1) {
      try {
        const changed = await this.#change(name, 'update', caller, change);
        return { ...changed, ...warned([...checked.warnings, ...warnings]) };
      } catch (error) {
        // Another caller changed the basis of the draft between the check and the transaction.
        if (!(error instanceof UncheckedSpec) || tries >= mostTries) throw error;
        checked = await this.#checkedSpec(name, asked, isDeclared);
      }
    }
  }

  /**
   * Creates or replaces the schedule. Repeating the same definition, as every deploy does, does not reset the
   * remaining actions.
   */
  async upsert(
    name: ScheduleName,
    given: DefinitionDraft | ((before?: ScheduleDefinition) => DefinitionDraft),
    caller: Caller,
  ): Promise<Written & Acted & { readonly created: boolean }> {
    const replace = async () => ({
      ...(await this.update(name, given, { ...caller, isRepeated: true })),
      created: false,
    });
    // A request that may be a repetition first tries to create, to get the answer of the first call.
    if (caller.requestId === undefined) {
      try {
        return await replace();
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    try {
      const draft = typeof given === 'function' ? given() : given;
      const written = await this.create(name, draft, { ...caller, isRepeated: true });
      return { ...written, isChanged: true };
    } catch (error) {
      if (ServiceError.from(error).reason !== 'ALREADY_EXISTS') throw error;
      return await replace();
    }
  }

  /** Pauses. A pause that goes on already gets the new actor, note and end; with `keepsPause` it stays as it is. */
  async pause(name: ScheduleName, caller: PauseCaller): Promise<Changed & Partial<Acted>> {
    return await this.#change<Partial<Acted>>(name, 'pause', caller, (schedule) => {
      const { actor, note = '', until, keepsPause = false } = caller;
      if (keepsPause && schedule.child('definition').state.paused !== null) return { isChanged: false };
      pause(schedule, { by: actor, note, ...(until === undefined ? {} : { until }) });
      return {};
    });
  }

  /** Ends a pause. A schedule that is not paused is not changed. */
  async resume(
    name: ScheduleName,
    caller: Caller & { readonly missed?: MissedWord },
  ): Promise<Changed & Acted> {
    const { missed: word = 'skip' } = caller;
    checkWord('missed', word, missedWords);
    const missed = missedPolicyOf(word);
    return await this.#change(name, 'resume', caller, (schedule) => {
      const { paused } = schedule.child('definition').state;
      if (paused === null && schedule.state.failures === 0) return { isChanged: false };
      resume(schedule, { by: caller.actor, note: caller.note ?? '', missed });
      return { isChanged: paused !== null };
    });
  }

  /** Starts a run now. Returns its cause in the ledger and what became of it. */
  async trigger(name: ScheduleName, request: TriggerRequest, caller: Caller): Promise<Changed & Triggered> {
    checkWord('overlap', request.overlap, overlapPolicies);
    const changed = await this.#change(name, 'trigger', caller, (schedule) => {
      demandQueue(actionOf(schedule).queue, caller);
      return { cause: trigger(schedule, request), incarnation: schedule.incarnation };
    });
    const { incarnation, ...answer } = changed;
    // A rehearsal has written no verdict.
    const { items } = await this.store.slots({ incarnation, cause: answer.cause, limit: 1 });
    const [slot] = items;
    const verdict = (slot?.verdict ?? null) as Verdict | null;
    return { ...answer, verdict, runId: slot?.runId ?? null };
  }

  async backfill(
    name: ScheduleName,
    request: BackfillRequest,
    caller: Caller,
  ): Promise<Changed & { readonly id: string }> {
    checkRange(request);
    checkWord('overlap', request.overlap, overlapPolicies);
    return await this.#change(name, 'backfill', caller, (schedule) => {
      demandQueue(actionOf(schedule).queue, caller);
      return { id: addBackfill(schedule, request) };
    });
  }

  /** Applies several of the operations above as one change. */
  async patch(name: ScheduleName, patch: SchedulePatch, caller: Caller): Promise<Changed> {
    return await this.#change(name, patchAction(patch), caller, (schedule) => {
      demandQueue(actionOf(schedule).queue, caller);
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

  /**
   * Closes the schedule. Its runs that have not begun are cancelled, or kept when asked; runs that have begun go on. One
   * that cannot be read is deleted with all its data.
   */
  async delete(name: ScheduleName, caller: Caller & { readonly waiting?: WaitingRuns }): Promise<Deleted> {
    try {
      const { incarnation } = await this.#change(name, 'delete', caller, (schedule) => {
        remove(schedule, caller.actor);
        return { incarnation: schedule.incarnation };
      });
      const isCancelling = caller.waiting === 'cancel' && caller.rehearsed === undefined;
      return { cancelled: isCancelling ? await this.#cancelWaiting(incarnation, caller) : 0 };
    } catch (error) {
      // A token cannot be compared when the row cannot be read, so a forced delete needs a call without a token.
      const isForced = isServiceError(error) && error.reason === 'UNREADABLE' && caller.token === undefined;
      if (!isForced || caller.rehearsed !== undefined) throw error;
      await this.#removeUnreadable(name, caller, error.message);
      return { cancelled: 0 };
    }
  }

  async #cancelWaiting(incarnation: string, caller: Caller): Promise<number> {
    let cancelled = 0;
    for (;;) {
      const { items } = await this.store.runs({
        owner: incarnation,
        states: ['waiting'],
        limit: cancelledAtOnce,
      });
      const ids = items.map(({ id }) => id);
      const stopped = (await this.#runs?.cancel(ids, 'the schedule was deleted', caller)) ?? [];
      cancelled += stopped.filter((each) => each === 'ended').length;
      if (this.#runs === undefined || ids.length < cancelledAtOnce) return cancelled;
    }
  }

  async #removeUnreadable(name: ScheduleName, { actor, door }: Caller, note: string): Promise<void> {
    const key = keyOf(name);
    await this.engine.transact({ kind: 'keys', keys: [key] }, (batch) => {
      const row = batch.rowOf(key);
      if (row === undefined) return;
      batch.remove(row.incarnation);
      const entry = { actor, door, action: 'delete', note, before: null, after: null };
      batch.audit({ namespace: name.namespace, target: auditTarget(name.id), ...entry });
    });
  }

  /** Takes a schedule out of quarantine. */
  async release(name: ScheduleName, caller: Caller): Promise<void> {
    // Any write of the schedule restarts it, because it schedules its tasks again.
    await this.#change(name, 'release', caller, () => ({}));
  }

  /** Checks the spec that an update would store. A spec that is stored already is accepted. */
  async #checkedSpec(
    name: ScheduleName,
    asked: DefinitionDraft | ((before: ScheduleDefinition) => DefinitionDraft),
    isDeclared: boolean,
  ): Promise<{ readonly spec: ScheduleSpec; readonly warnings: readonly Problem[] }> {
    const stored = () =>
      this.reading(name, () =>
        this.engine.read(Schedule, keyOf(name), (view) => view.child('definition').state),
      );
    const draft = typeof asked === 'function' ? asked(await stored()) : asked;
    const { spec } = draft;
    try {
      return { spec, warnings: await this.#checkSpec(name, draft, isDeclared) };
    } catch (error) {
      const mayBeStored = isUnsearchable(error) || isWithoutTimes(error);
      if (!mayBeStored || !isSameJson(spec, (await stored()).spec)) throw error;
      return { spec, warnings: [] };
    }
  }

  /** Refuses a spec whose times cannot be found, or that has none to come. Returns warnings about the spec. */
  async #checkSpec(
    name: ScheduleName,
    { spec, demandsTimes, ...draft }: DefinitionDraft,
    isDeclared: boolean,
  ): Promise<readonly Problem[]> {
    const search = { seed: seedOf(name, draft), now: this.clock.now() };
    await checkSearchable(spec, search);
    return demandsTimes === true ? await checkOutlook(spec, { ...search, isDeclared }) : [];
  }

  async #change<T extends object>(
    name: ScheduleName,
    action: string,
    caller: Caller,
    change: (schedule: ScheduleNode) => T,
  ): Promise<Changed & T> {
    const options = engineOptions(caller);
    const decide = (schedule: ScheduleNode): object => {
      checkToken(schedule, caller.token);
      const before = schedule.child('definition').state;
      const result = change(schedule);
      if ((result as MaybeUnchanged).isChanged !== false) {
        touch(schedule);
        if (schedule.state.closed === null) planIdle(schedule);
        auditChange(schedule, caller, action, before);
      }
      return { ...result, token: schedule.state.token };
    };
    const answer = await this.reading(name, () => this.engine.update(Schedule, keyOf(name), decide, options));
    return answer as Changed & T;
  }
}

/** A change that says `isChanged: false` has changed nothing: no new token and no entry in the audit. */
interface MaybeUnchanged {
  readonly isChanged?: boolean;
}

function engineOptions({ requestId, rehearsed }: Caller) {
  return given({ requestId, rehearsed });
}

function actionOf(schedule: ScheduleNode): ScheduleAction {
  return schedule.child('definition').state.action;
}

/** The draft with every `[redacted]` replaced by the stored value. Throws when there is no stored value. */
function restored(draft: DefinitionDraft, before: ScheduleDefinition | undefined): DefinitionDraft {
  const problems: Problem[] = [];
  const action = restoreAction(draft.action, before?.action, problems);
  if (problems.length > 0) throw ServiceError.invalid(problems);
  return action === draft.action ? draft : { ...draft, action };
}

function warned(warnings: readonly Problem[]): Pick<Written, 'warnings'> {
  return warnings.length === 0 ? {} : { warnings };
}

function isGone(error: unknown): boolean {
  const { reason } = ServiceError.from(error);
  return reason === 'NOT_FOUND' || reason === 'EXECUTION_CLOSED';
}

/** The most retries after a lost race. */
const mostTries = 5;

/**
 * The draft of an update differs in the transaction from the checked one; nothing is written, and the check is
 * repeated.
 */
class UncheckedSpec extends Error {
  constructor() {
    super('the schedule is changed by several callers at once; repeat the change');
  }
}

function isKnown(spec: ScheduleSpec, ...known: readonly ScheduleSpec[]): boolean {
  return known.some((other) => isSameJson(spec, other));
}
