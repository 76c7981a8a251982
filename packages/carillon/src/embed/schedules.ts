/** The schedules of one namespace, in the words people use: plain cron strings, `'15m'`, dates. */
import type { Instant } from '../base/time.ts';
import type { MissedWord, OverlapPolicy } from '../scheduler/definition.ts';
import type { Explanation } from '../scheduler/explain.ts';
import type { HandlerRef } from '../service/action-input.ts';
import type { Included, RunView } from '../service/run-view.ts';
import { runViewer } from '../service/run-view.ts';
import type { InstantInput, ScheduleInput } from '../service/schedule-input.ts';
import { readInstant, readScheduleInput } from '../service/schedule-input.ts';
import type { ScheduleName } from '../service/schedule-reads.ts';
import type { Caller, Changed, ScheduleService, Written } from '../service/schedule-service.ts';
import type { ScheduleDescription, ScheduleSummary } from '../service/schedule-view.ts';
import type { Occurrence } from '../spec/index.ts';
import type { AuditRow, SlotRow } from '../store/records.ts';
import type { Filter, Page } from '../store/store.ts';

/** Who makes a change, why, and under which id it may be repeated. */
export interface ChangeOptions {
  /** Default `embedded`. */
  readonly actor?: string;
  readonly note?: string;
  readonly requestId?: string;
}

/** With a handler from `handle`, its input is typed. */
export type TypedSchedule<Input> = Omit<ScheduleInput, 'run' | 'input'> & {
  readonly run: HandlerRef<Input>;
} & TypedInput<Input>;

/** Required, unless the handler can do without. */
export type TypedInput<Input> = undefined extends Input
  ? { readonly input?: Input }
  : { readonly input: NoInfer<Input> };

export interface PageOptions {
  readonly after?: string;
  readonly limit?: number;
}

const defaultPage = 100;

export class Schedules {
  readonly #service: ScheduleService;
  readonly #namespace: string;
  readonly #now: () => Instant;

  constructor(service: ScheduleService, namespace: string, now: () => Instant) {
    this.#service = service;
    this.#namespace = namespace;
    this.#now = now;
  }

  /** Refused when an open schedule has the id. */
  create<Input>(id: string, schedule: TypedSchedule<Input>, options?: ChangeOptions): Promise<Written>;
  create(id: string, schedule: ScheduleInput, options?: ChangeOptions): Promise<Written>;
  async create(id: string, schedule: object, options: ChangeOptions = {}): Promise<Written> {
    return await this.#service.create(this.#name(id), readScheduleInput(schedule), caller(options));
  }

  /** Replaces the whole definition; a pause survives unless `paused` is given. `token` guards against lost updates. */
  update<Input>(
    id: string,
    schedule: TypedSchedule<Input>,
    options?: ChangeOptions & { token?: number },
  ): Promise<Written>;
  update(id: string, schedule: ScheduleInput, options?: ChangeOptions & { token?: number }): Promise<Written>;
  async update(
    id: string,
    schedule: object,
    options: ChangeOptions & { token?: number } = {},
  ): Promise<Written> {
    const { token } = options;
    const by = token === undefined ? caller(options) : { ...caller(options), token };
    return await this.#service.update(this.#name(id), readScheduleInput(schedule), by);
  }

  /** Creates it or replaces it: what a deploy wants. */
  upsert<Input>(
    id: string,
    schedule: TypedSchedule<Input>,
    options?: ChangeOptions,
  ): Promise<Written & { created: boolean }>;
  upsert(
    id: string,
    schedule: ScheduleInput,
    options?: ChangeOptions,
  ): Promise<Written & { created: boolean }>;
  async upsert(
    id: string,
    schedule: object,
    options: ChangeOptions = {},
  ): Promise<Written & { created: boolean }> {
    return await this.#service.upsert(this.#name(id), readScheduleInput(schedule), caller(options));
  }

  async describe(id: string): Promise<ScheduleDescription> {
    // A copy: what is stored is shared with every later decision.
    return structuredClone(await this.#service.describe(this.#name(id)));
  }

  async list(
    options: PageOptions & {
      readonly filter?: Filter;
      readonly includeClosed?: boolean;
      readonly include?: Included;
    } = {},
  ): Promise<Page<ScheduleSummary>> {
    return await this.#service.list({ namespace: this.#namespace, ...options });
  }

  async count(options: { readonly filter?: Filter; readonly includeClosed?: boolean } = {}): Promise<number> {
    return await this.#service.count({ namespace: this.#namespace, ...options });
  }

  async pause(
    id: string,
    note = '',
    options: ChangeOptions & { readonly until?: InstantInput } = {},
  ): Promise<Changed> {
    const { until } = options;
    const by = { ...caller(options), note };
    return await this.#service.pause(
      this.#name(id),
      until === undefined ? by : { ...by, until: readInstant(until, 'until') },
    );
  }

  /** `missed` says what happens to the slots of the pause; default `skip`. */
  async resume(
    id: string,
    note = '',
    options: ChangeOptions & { readonly missed?: MissedWord } = {},
  ): Promise<Changed> {
    const { missed } = options;
    const by = { ...caller(options), note };
    return await this.#service.resume(this.#name(id), missed === undefined ? by : { ...by, missed });
  }

  /** Starts a run now, whatever the spec and the pause say. */
  async trigger(
    id: string,
    options: ChangeOptions & { readonly overlap?: OverlapPolicy; readonly scheduledAt?: InstantInput } = {},
  ): Promise<Changed & { readonly cause: string }> {
    const { overlap, scheduledAt } = options;
    const request = {
      ...(overlap === undefined ? {} : { overlap }),
      ...(scheduledAt === undefined ? {} : { scheduledAt: readInstant(scheduledAt, 'scheduledAt') }),
    };
    return await this.#service.trigger(this.#name(id), request, caller(options));
  }

  /** Runs the slots of a range, both ends included; one after the other, unless `overlap` says otherwise. */
  async backfill(
    id: string,
    range: BackfillRange,
    options: ChangeOptions = {},
  ): Promise<Changed & { readonly id: string }> {
    // Whoever asks for a range wants all of it, also when the schedule itself would skip.
    const request = { overlap: 'bufferAll' as const, ...readRange(range) };
    return await this.#service.backfill(this.#name(id), request, caller(options));
  }

  /** The exact slots that backfill would run. */
  async previewBackfill(
    id: string,
    range: BackfillRange,
    limit?: number,
  ): Promise<{ readonly times: readonly Occurrence[]; readonly truncated: boolean }> {
    return await this.#service.previewBackfill(this.#name(id), readRange(range), limit);
  }

  async cancelBackfill(
    id: string,
    backfillId: string,
    options: ChangeOptions = {},
  ): Promise<Changed & { readonly cancelled: number | null }> {
    return await this.#service.cancelBackfill(this.#name(id), backfillId, caller(options));
  }

  /** Lets a quarantined schedule go on where it stopped. */
  async release(id: string, options: ChangeOptions = {}): Promise<void> {
    await this.#service.release(this.#name(id), caller(options));
  }

  /** Closes it. Runs that go on are left alone. */
  async delete(id: string, options: ChangeOptions = {}): Promise<void> {
    await this.#service.delete(this.#name(id), caller(options));
  }

  /** The next times, after now or after `after`. */
  async next(id: string, count = 5, after?: InstantInput): Promise<readonly Occurrence[]> {
    return await this.#service.next(
      this.#name(id),
      after === undefined ? this.#now() : readInstant(after, 'after'),
      count,
    );
  }

  /** Why it did, or did not, run at that time. */
  async explain(id: string, at: InstantInput): Promise<Explanation> {
    const explanations = await this.#service.explain(this.#name(id), readInstant(at, 'at'));
    return (explanations.find(({ cause }) => cause === 'auto') ?? explanations[0]) as Explanation;
  }

  /** The ledger: one verdict per slot, equal neighbours as one row. */
  async slots(
    id: string,
    options: PageOptions & {
      readonly from?: InstantInput;
      readonly to?: InstantInput;
      readonly verdicts?: readonly string[];
    } = {},
  ): Promise<Page<SlotRow>> {
    const { from, to, after, limit = defaultPage, verdicts } = options;
    return await this.#service.slots(this.#name(id), {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(verdicts === undefined ? {} : { verdicts }),
      ...(from === undefined ? {} : { from: readInstant(from, 'from') }),
      ...(to === undefined ? {} : { to: readInstant(to, 'to') }),
    });
  }

  /** Its runs, newest first. */
  async runs(
    id: string,
    options: PageOptions & { readonly include?: Included } = {},
  ): Promise<Page<RunView>> {
    const { include } = options;
    const page = await this.#service.runs(this.#name(id), {
      ...paging(options),
      ...(include === undefined ? {} : { include }),
    });
    return { items: page.items.map(runViewer(include)), next: page.next };
  }

  /** Who changed what, newest first. */
  async audit(id: string, options: PageOptions = {}): Promise<Page<AuditRow>> {
    return await this.#service.audit(this.#name(id), paging(options));
  }

  #name(id: string): ScheduleName {
    return { namespace: this.#namespace, id };
  }
}

export interface BackfillRange {
  readonly from: InstantInput;
  readonly to: InstantInput;
  readonly overlap?: OverlapPolicy;
  readonly ratePerMinute?: number;
}

function readRange({ from, to, ...rest }: BackfillRange) {
  return { ...rest, from: readInstant(from, 'from'), to: readInstant(to, 'to') };
}

function paging({ after, limit = defaultPage }: PageOptions) {
  return { limit, ...(after === undefined ? {} : { after }) };
}

function caller({ actor = 'embedded', note, requestId }: ChangeOptions): Caller {
  return {
    actor,
    door: 'embed',
    ...(note === undefined ? {} : { note }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
