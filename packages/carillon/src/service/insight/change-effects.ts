/** What changes of schedules would do: each is decided as always and not written, and its writes are read. */
import type { Clock } from '../../base/clock.ts';
import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day } from '../../base/time.ts';
import type { Engine } from '../../engine/engine.ts';
import { compiledOf } from '../../scheduler/compiled-of.ts';
import type { Verdict } from '../../scheduler/verdict.ts';
import type { RunRow } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import type { BulkAnswer } from '../api.ts';
import type { BulkRequest } from '../bulk-change.ts';
import { bulkChange } from '../bulk-change.ts';
import { rehearse } from '../rehearse.ts';
import type { ScheduleName } from '../schedule-reads.ts';
import { keyOf } from '../schedule-reads.ts';
import type { Caller, ScheduleService } from '../schedule-service.ts';
import { SlicedWork, timesBetween } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import type { BulkOutcomes } from './bulk-outcomes.ts';
import { bulkOutcomes, outcomeSentences } from './bulk-outcomes.ts';
import type { Effects, RangePreview } from './effects.ts';
import { effectsOf, writtenDefinition } from './effects.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { currentOf, readHistoryOf } from './history-material.ts';
import { readTrial } from './trial.ts';

export interface BulkEffects extends BulkOutcomes {
  /** One sentence for each kind of outcome, with how many schedules it is about. */
  readonly text: readonly string[];
  readonly items: readonly {
    readonly id: string;
    readonly ok: boolean;
    /** False when the schedule is already as asked. */
    readonly isChanged: boolean;
    readonly reason: string | null;
    readonly message: string | null;
    /** Absent when the change would be refused. */
    readonly effects?: Pick<Effects, 'text' | 'status' | 'starts' | 'verdicts'>;
  }[];
  readonly failed: number;
}

export interface EffectsOptions {
  /** The range of a backfill, which is shown slot by slot. */
  readonly range?: Span;
  /** Whether to try the changed definition on the past week. */
  readonly withTrial?: boolean;
}

export interface ChangeEffectsOptions {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly schedules: ScheduleService;
}

/** The most slots of a backfill's range that are counted, and that are shown. */
const mostInRange = 10_000;
const shownInRange = 200;

/** The days on which a changed definition is tried. */
const trialLength = 7 * day;

export class ChangeEffects {
  readonly #options: ChangeEffectsOptions;

  constructor(options: ChangeEffectsOptions) {
    this.#options = options;
  }

  /**
   * What a change of one schedule would do: `change` is called with a caller under whose name nothing is written. For a
   * backfill, `range` is shown slot by slot.
   */
  async ofOne(
    name: ScheduleName,
    by: Caller,
    change: (by: Caller) => Promise<unknown>,
    { range, withTrial = false }: EffectsOptions = {},
  ): Promise<Effects> {
    const { store } = this.#options;
    const [before] = await store.read({ keys: [keyOf(name)] });
    const open = before?.status === 'open' ? before : undefined;
    const definition =
      open === undefined
        ? undefined
        : currentOf(await readHistoryOf(this.#options, open, this.#now())).definition;
    const writes = await rehearse(by, change);
    const preview =
      range === undefined || open === undefined
        ? null
        : await this.#range(open.incarnation, definition, range);
    const now = this.#now();
    const effects = await effectsOf({ now, before: open, definition, writes }, preview);
    if (!withTrial || open === undefined || definition === undefined) return effects;
    const after = writtenDefinition(writes) ?? definition;
    const from = Math.max(addTime(now, -trialLength), open.createdAt) as Instant;
    const { incarnation } = open;
    const trial = await readTrial(store, { from, to: now, before: definition, after, incarnation });
    return { ...effects, trial };
  }

  /** What a change of many schedules would do to each. */
  async ofMany(request: BulkRequest, by: Caller): Promise<BulkEffects> {
    const { schedules } = this.#options;
    const effects = new Map<string, Effects>();
    // Each schedule is rehearsed by itself, exactly as the change would take it.
    const rehearsing = {
      pause: (name: ScheduleName, caller: Parameters<ScheduleService['pause']>[1]) =>
        this.#each(effects, name, caller, (c) => schedules.pause(name, { ...caller, ...c })),
      resume: (name: ScheduleName, caller: Caller & Parameters<ScheduleService['resume']>[1]) =>
        this.#each(effects, name, caller, (c) => schedules.resume(name, { ...caller, ...c })),
      trigger: (name: ScheduleName, asked: Parameters<ScheduleService['trigger']>[1], caller: Caller) =>
        this.#each(effects, name, caller, (c) => schedules.trigger(name, asked, c)),
      delete: (name: ScheduleName, caller: Caller) =>
        this.#each(effects, name, caller, (c) => schedules.delete(name, c)),
    };
    const answer: BulkAnswer = await bulkChange(rehearsing, request, by);
    const items = answer.items.map((item) => {
      const found = effects.get(item.id);
      if (found === undefined) return item;
      const { text, status, starts, verdicts } = found;
      return { ...item, effects: { text, status, starts, verdicts } };
    });
    const told = answer.items.map((item) => ({ ...item, ...given({ effects: effects.get(item.id) }) }));
    const outcomes = bulkOutcomes(told);
    return { text: outcomeSentences(outcomes), ...outcomes, items, failed: answer.failed };
  }

  async #each(
    effects: Map<string, Effects>,
    name: ScheduleName,
    by: Caller,
    change: (by: Caller) => Promise<unknown>,
  ): Promise<unknown> {
    let done: unknown;
    const told = await this.ofOne(name, by, async (caller) => {
      done = await change(caller);
    });
    effects.set(name.id, told);
    return done;
  }

  async #range(
    incarnation: string,
    definition: HistoryOf['versions'][number]['definition'] | undefined,
    { from, to }: Span,
  ): Promise<RangePreview | null> {
    if (definition === undefined) return null;
    const window = { from: addTime(from, -1), to };
    const { seed } = definition;
    const compiled = compiledOf(definition);
    const found = await timesBetween(compiled, { window, limit: mostInRange, seed }, new SlicedWork());
    const ledger = await this.#options.store.slots({ incarnation, from, to, limit: 2 * shownInRange });
    const slots = found.times.slice(0, shownInRange).map(({ nominal }) => {
      const rows = ledger.items.filter((row) => row.nominal <= nominal && nominal <= row.until);
      return { nominal, slot: rows.find(({ runId }) => runId !== null) ?? rows[0] };
    });
    const runs = await this.#runsById(slots.flatMap(({ slot }) => slot?.runId ?? []));
    const items = slots.map(({ nominal, slot }) => {
      const run = slot?.runId == null ? undefined : runs.get(slot.runId);
      return {
        at: timeJson(nominal),
        verdict: (slot?.verdict ?? null) as Verdict | null,
        runId: slot?.runId ?? null,
        ...(run === undefined ? {} : { run: { state: run.state, outcome: run.outcome } }),
      };
    });
    return { count: found.times.length, isExact: !found.truncated, items };
  }

  async #runsById(ids: readonly string[]): Promise<ReadonlyMap<string, RunRow>> {
    if (ids.length === 0) return new Map();
    const { items } = await this.#options.store.runs({ ids, payloads: false, limit: ids.length });
    return new Map(items.map((run) => [run.id, run]));
  }

  #now(): Instant {
    return this.#options.clock.now();
  }
}
