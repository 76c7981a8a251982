/** The schedules of one namespace. Inputs are in the forms that people write: cron strings, `'15m'`, dates. */
import { given } from '../base/given.ts';
import { eachItem } from '../base/paging.ts';
import type { Instant } from '../base/time.ts';
import type { MissedWord, OverlapPolicy } from '../scheduler/definition.ts';
import type { Explanation } from '../scheduler/explain.ts';
import type {
  Acted,
  BackfillRange,
  BulkAnswer,
  BulkOptions,
  BulkVerb,
  Changed,
  ChangeOptions,
  Deleted,
  Page,
  PageOptions,
  RunFilters,
  ScheduleFilters,
  SchedulePatchInput,
  SchedulesApi,
  SlotFilters,
  TimeRange,
  Triggered,
  WaitingRuns,
  Written,
} from '../service/api.ts';
import { bulkChange } from '../service/bulk-change.ts';
import type { AuditView, SlotView } from '../service/journal-view.ts';
import { viewAudit, viewSlot } from '../service/journal-view.ts';
import { patchDefinition } from '../service/merge-patch.ts';
import { runListQuery } from '../service/run-list.ts';
import type { LogLineView } from '../service/run-log.ts';
import type { RunView } from '../service/run-view.ts';
import { runViewer } from '../service/run-view.ts';
import { filteredQuery } from '../service/schedule-filter.ts';
import type { ScheduleHistory } from '../service/schedule-history.ts';
import type { InstantInput, ScheduleInput } from '../service/schedule-input.ts';
import { readInstant, readScheduleInput, writeScheduleInput } from '../service/schedule-input.ts';
import type { ScheduleName } from '../service/schedule-reads.ts';
import type { Caller, ScheduleService } from '../service/schedule-service.ts';
import type { ScheduleDescription, ScheduleSummary } from '../service/schedule-view.ts';
import type { Occurrence } from '../spec/index.ts';
import type { Filter } from '../store/store.ts';
import { demandInput } from './define-handler.ts';
import type { InputFor, Runnable } from './typed-run.ts';

export type { Occurrence } from '../spec/index.ts';

/** Options of an embedded change; the caller may name the actor. */
export interface EmbedChangeOptions extends ChangeOptions {
  /** The actor in the audit log. Default `embedded`. */
  readonly actor?: string;
}

/** The answers of an embedded Carillon. Times are milliseconds since 1970. */
export interface EmbedViews {
  readonly schedule: ScheduleDescription;
  readonly summary: ScheduleSummary;
  readonly occurrence: Occurrence;
  readonly explanation: Explanation;
  readonly history: ScheduleHistory;
  readonly slot: SlotView;
  readonly run: RunView;
  readonly line: LogLineView;
  readonly audit: AuditView;
}

/** A schedule whose input has the type that its handler accepts; `Run` and `Data` are inferred from `run` and `input`. */
export type TypedSchedule<Run, Data> = Omit<ScheduleInput, 'run' | 'input'> & {
  readonly run?: Run;
} & InputFor<Run, Data>;

const defaultPage = 100;

/** The schedules of one namespace: made, changed, asked about. */
export class Schedules implements SchedulesApi<EmbedViews> {
  readonly #service: ScheduleService;
  readonly #namespace: string;
  readonly #now: () => Instant;

  constructor(service: ScheduleService, namespace: string, now: () => Instant) {
    this.#service = service;
    this.#namespace = namespace;
    this.#now = now;
  }

  /** Creates a schedule. Refused when an open schedule has the id. */
  async create<Run extends Runnable = string, Data = unknown>(
    id: string,
    schedule: TypedSchedule<Run, Data>,
    options: EmbedChangeOptions = {},
  ): Promise<Written> {
    await demandScheduleInput(schedule);
    return await this.#service.create(this.#name(id), readScheduleInput(schedule), caller(options));
  }

  /** Replaces the whole definition. A pause is kept unless `paused` is given. `token` guards against lost updates. */
  async update<Run extends Runnable = string, Data = unknown>(
    id: string,
    schedule: TypedSchedule<Run, Data>,
    options: EmbedChangeOptions = {},
  ): Promise<Written> {
    await demandScheduleInput(schedule);
    return await this.#service.update(this.#name(id), readScheduleInput(schedule), caller(options));
  }

  /** Creates or replaces the schedule, as a deploy needs it. */
  async upsert<Run extends Runnable = string, Data = unknown>(
    id: string,
    schedule: TypedSchedule<Run, Data>,
    options: EmbedChangeOptions = {},
  ): Promise<Written & Acted & { created: boolean }> {
    await demandScheduleInput(schedule);
    return await this.#service.upsert(this.#name(id), readScheduleInput(schedule), caller(options));
  }

  /** The whole schedule: its definition, its state, its coming times and its last runs. */
  async describe(id: string): Promise<ScheduleDescription> {
    // A copy, because later decisions share the stored object.
    return structuredClone(await this.#service.describe(this.#name(id)));
  }

  /** The definition in the form that `create` and `update` accept. */
  async definition(id: string): Promise<ScheduleInput> {
    return writeScheduleInput(await this.#service.describe(this.#name(id)));
  }

  /** Changes the given fields and keeps the rest; null resets a field to its default. */
  async patch(id: string, changes: SchedulePatchInput, options: EmbedChangeOptions = {}): Promise<Written> {
    return await this.#service.update(
      this.#name(id),
      (before) => patchDefinition(before, changes),
      caller(options),
    );
  }

  /**
   * Lists schedules in the order of their ids. `filter` is a condition in the store's terms, for what the named
   * filters cannot express.
   */
  async list(
    options: ScheduleFilters & PageOptions & { readonly filter?: Filter } = {},
  ): Promise<Page<ScheduleSummary>> {
    return await this.#service.list({
      ...this.#query(options),
      ...paging(options),
      ...given({ include: options.include }),
    });
  }

  /** Iterates over the schedules of all pages. */
  each(
    options: ScheduleFilters & PageOptions & { readonly filter?: Filter } = {},
  ): AsyncGenerator<ScheduleSummary, void, undefined> {
    return eachItem((after) => this.list(after === undefined ? options : { ...options, after }));
  }

  /** The number of schedules that a list with the same filters has. */
  async count(options: ScheduleFilters & { readonly filter?: Filter } = {}): Promise<number> {
    return await this.#service.count(this.#query(options));
  }

  #query({ filter, nextFrom, nextTo, ...filters }: ScheduleFilters & { readonly filter?: Filter }) {
    const times = given({
      nextFrom: nextFrom === undefined ? undefined : readInstant(nextFrom, 'nextFrom'),
      nextTo: nextTo === undefined ? undefined : readInstant(nextTo, 'nextTo'),
    });
    const { filter: named, ...rest } = filteredQuery({ ...filters, ...times }, this.#now());
    const all = [named, filter].filter((each) => each !== undefined);
    return { namespace: this.#namespace, ...rest, ...(all.length === 0 ? {} : { filter: { all } }) };
  }

  /** Pauses the schedule, with a note, until it is resumed or until a time. Runs that have begun go on. */
  async pause(
    id: string,
    options: EmbedChangeOptions & { readonly until?: InstantInput } = {},
  ): Promise<Changed> {
    const { until } = options;
    const by = caller(options);
    return await this.#service.pause(
      this.#name(id),
      until === undefined ? by : { ...by, until: readInstant(until, 'until') },
    );
  }

  /** Ends a pause. `missed` says what happens to the slots of the pause; default `skip`. */
  async resume(
    id: string,
    options: EmbedChangeOptions & { readonly missed?: MissedWord } = {},
  ): Promise<Changed & Acted> {
    return await this.#service.resume(this.#name(id), {
      ...caller(options),
      ...given({ missed: options.missed }),
    });
  }

  /** Applies one operation to up to 1000 schedules. Failures are reported and do not stop the others. */
  async bulk(
    verb: BulkVerb,
    ids: readonly string[],
    options: Omit<EmbedChangeOptions, 'token'> & BulkOptions = {},
  ): Promise<BulkAnswer> {
    const { until, missed } = options;
    const request = {
      verb,
      ids,
      namespace: this.#namespace,
      ...(until === undefined ? {} : { until: readInstant(until, 'until') }),
      ...given({ missed }),
    };
    return await bulkChange(this.#service, request, caller(options));
  }

  /** Starts a run now, regardless of the spec and of a pause. */
  async trigger(
    id: string,
    options: EmbedChangeOptions & {
      readonly overlap?: OverlapPolicy;
      readonly scheduledAt?: InstantInput;
    } = {},
  ): Promise<Changed & Triggered> {
    const { overlap, scheduledAt } = options;
    const request = {
      ...(overlap === undefined ? {} : { overlap }),
      ...(scheduledAt === undefined ? {} : { scheduledAt: readInstant(scheduledAt, 'scheduledAt') }),
    };
    return await this.#service.trigger(this.#name(id), request, caller(options));
  }

  /** Runs the slots of a range, both ends included, one after the other unless `overlap` says otherwise. */
  async backfill(
    id: string,
    range: BackfillRange,
    options: EmbedChangeOptions = {},
  ): Promise<Changed & { readonly id: string }> {
    // A caller that asks for a range wants all of it, also when the schedule itself would skip.
    const { except, ...ends } = range;
    const request = {
      overlap: 'bufferAll' as const,
      ...readRange(ends),
      ...(except === undefined ? {} : { except: except.map((at) => readInstant(at, 'except')) }),
    };
    return await this.#service.backfill(this.#name(id), request, caller(options));
  }

  /** The exact slots that a backfill of the range would run. */
  async previewBackfill(id: string, range: TimeRange & { readonly limit?: number }) {
    const { limit, ...ends } = range;
    const { times, ...rest } = await this.#service.previewBackfill(this.#name(id), readRange(ends), limit);
    return { ...rest, items: times };
  }

  async cancelBackfill(
    id: string,
    backfillId: string,
    options: EmbedChangeOptions = {},
  ): Promise<Changed & { readonly cancelled: number | null }> {
    return await this.#service.cancelBackfill(this.#name(id), backfillId, caller(options));
  }

  /** Takes a schedule out of quarantine; it continues where it stopped. */
  async release(id: string, options: EmbedChangeOptions = {}): Promise<void> {
    await this.#service.release(this.#name(id), caller(options));
  }

  /** Closes the schedule. Runs that have begun go on; those that have not are cancelled unless `waiting` is `keep`. */
  async delete(
    id: string,
    options: EmbedChangeOptions & { readonly waiting?: WaitingRuns } = {},
  ): Promise<Deleted> {
    const { waiting = 'cancel' } = options;
    return await this.#service.delete(this.#name(id), { ...caller(options), waiting });
  }

  /** The coming times. Default: the next five from now. */
  async next(
    id: string,
    options: { readonly count?: number; readonly after?: InstantInput } = {},
  ): Promise<readonly Occurrence[]> {
    const { count = 5, after } = options;
    const from = after === undefined ? this.#now() : readInstant(after, 'after');
    return await this.#service.next(this.#name(id), from, count);
  }

  /** Why the schedule did, or did not, run at that time. */
  async explain(id: string, at: InstantInput): Promise<Explanation> {
    const [own] = await this.explainAll(id, at);
    return own as Explanation;
  }

  /** One explanation per cause at that time: the schedule's own first, then triggers and backfills. */
  async explainAll(id: string, at: InstantInput): Promise<readonly Explanation[]> {
    return await this.#service.explain(this.#name(id), readInstant(at, 'at'));
  }

  /** Every stored version of the spec, oldest first, and how far the schedule has come. */
  async versions(id: string): Promise<ScheduleHistory> {
    return await this.#service.history(this.#name(id));
  }

  /** The ledger, newest first: one verdict per slot; neighbouring slots with equal verdicts share a row. */
  async slots(id: string, filters: SlotFilters = {}): Promise<Page<SlotView>> {
    const { from, to, verdict, cause, order = 'descending' } = filters;
    const page = await this.#service.slots(this.#name(id), {
      order,
      ...paging(filters),
      ...given({ cause, verdicts: verdict }),
      ...(from === undefined ? {} : { from: readInstant(from, 'from') }),
      ...(to === undefined ? {} : { to: readInstant(to, 'to') }),
    });
    return { items: page.items.map(viewSlot), next: page.next };
  }

  /** The runs of the schedule, newest first. */
  async runs(id: string, filters: RunFilters = {}): Promise<Page<RunView>> {
    const query = runListQuery(filters);
    const page = await this.#service.runs(this.#name(id), query);
    return { items: page.items.map(runViewer(query.include)), next: page.next };
  }

  /** The audit log of the schedule, newest first. */
  async audit(id: string, options: PageOptions = {}): Promise<Page<AuditView>> {
    const page = await this.#service.audit(this.#name(id), paging(options));
    return { items: page.items.map(viewAudit), next: page.next };
  }

  #name(id: string): ScheduleName {
    return { namespace: this.#namespace, id };
  }
}

/** The input of a handler with a schema is checked before anything is stored. What is not a schedule at all is refused later. */
async function demandScheduleInput(schedule: unknown): Promise<void> {
  const given = schedule as Pick<ScheduleInput, 'run' | 'input'> | null | undefined;
  await demandInput(given?.run, given?.input);
}

function readRange<R extends TimeRange>({ from, to, ...rest }: R) {
  return { ...rest, from: readInstant(from, 'from'), to: readInstant(to, 'to') };
}

function paging({ after, limit = defaultPage }: PageOptions) {
  return { limit, ...(after === undefined ? {} : { after }) };
}

function caller({ actor = 'embedded', note, requestId, token }: EmbedChangeOptions): Caller {
  return { actor, door: 'embed', ...given({ note, requestId, token }) };
}
