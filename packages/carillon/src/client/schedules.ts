/** Schedules of one namespace, over HTTP. */
import { eachItem } from '../base/paging.ts';
import type {
  Acted,
  BackfillPreview,
  BackfillRange,
  BulkAnswer,
  BulkOptions,
  BulkVerb,
  Changed,
  ChangeOptions,
  Deleted,
  MissedWord,
  OverlapPolicy,
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
import type { InstantInput, PlainSchedule, ScheduleInput } from '../service/schedule-input.ts';
import type {
  AuditJson,
  ExplanationJson,
  HistoryJson,
  JsonViews,
  OccurrenceJson,
  RunJson,
  ScheduleJson,
  SlotJson,
  SummaryJson,
} from '../service/wire.ts';
import { demandPlain } from './plain-payloads.ts';
import type { CallOptions, Request, Transport } from './transport.ts';

/** Options of a change over HTTP; the caller can abort the call. */
export interface ClientChangeOptions extends ChangeOptions, CallOptions {}

export class SchedulesClient implements SchedulesApi<JsonViews> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a schedule. Refused when an open schedule has the id. */
  async create<Data>(
    id: string,
    schedule: PlainSchedule<Data>,
    options: ClientChangeOptions = {},
  ): Promise<Written> {
    const { token: _, ...rest } = options;
    return await this.#transport.call('POST', '/schedules', {
      ...requestOf(rest),
      body: { ...demandPlain(schedule), id },
    });
  }

  /** Replaces the whole definition of an existing schedule. A pause is kept unless `paused` is given. */
  async update<Data>(
    id: string,
    schedule: PlainSchedule<Data>,
    options: ClientChangeOptions = {},
  ): Promise<Written> {
    const request = requestOf(options);
    const headers = { 'if-match': '*', ...request.headers };
    return await this.#transport.call('PUT', pathOf(id), {
      ...request,
      headers,
      body: demandPlain(schedule),
    });
  }

  /** Creates or replaces the schedule. With `token` it only replaces. */
  async upsert<Data>(
    id: string,
    schedule: PlainSchedule<Data>,
    options: ClientChangeOptions = {},
  ): Promise<Written & Acted & { readonly created: boolean }> {
    return await this.#transport.call('PUT', pathOf(id), {
      ...requestOf(options),
      body: demandPlain(schedule),
    });
  }

  /** Changes the given fields and keeps the rest; null resets a field to its default. */
  async patch(id: string, changes: SchedulePatchInput, options: ClientChangeOptions = {}): Promise<Written> {
    return await this.#transport.call('PATCH', pathOf(id), {
      ...requestOf(options),
      body: demandPlain(changes),
    });
  }

  async describe(id: string, options: CallOptions = {}): Promise<ScheduleJson> {
    return await this.#transport.call('GET', pathOf(id), options);
  }

  /** The definition in the form that `create` and `update` accept. */
  async definition(id: string, options: CallOptions = {}): Promise<ScheduleInput> {
    return await this.#transport.call('GET', `${pathOf(id)}/definition`, options);
  }

  /** Lists schedules in the order of their ids. */
  async list(
    filters: ScheduleFilters & PageOptions = {},
    options: CallOptions = {},
  ): Promise<Page<SummaryJson>> {
    return await this.#transport.call('GET', '/schedules', { ...options, query: { ...filters } });
  }

  /** Iterates over the schedules of all pages. */
  each(filters: ScheduleFilters & PageOptions = {}): AsyncGenerator<SummaryJson, void, undefined> {
    return eachItem((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }

  async count(filters: ScheduleFilters = {}, options: CallOptions = {}): Promise<number> {
    const query = { ...filters };
    const { count } = await this.#transport.call<{ count: number }>('GET', '/schedules:count', {
      ...options,
      query,
    });
    return count;
  }

  async pause(
    id: string,
    options: ClientChangeOptions & { readonly until?: InstantInput } = {},
  ): Promise<Changed> {
    const { until, note, ...rest } = options;
    return await this.#verb(id, 'pause', { note, until }, rest);
  }

  /** Ends a pause. `missed` says what happens to the slots of the pause; default `skip`. */
  async resume(
    id: string,
    options: ClientChangeOptions & { readonly missed?: MissedWord } = {},
  ): Promise<Changed & Acted> {
    const { missed, note, ...rest } = options;
    return await this.#verb(id, 'resume', { note, missed }, rest);
  }

  /** Starts a run now, regardless of the spec and of a pause. */
  async trigger(
    id: string,
    options: ClientChangeOptions & {
      readonly overlap?: OverlapPolicy;
      readonly scheduledAt?: InstantInput;
    } = {},
  ): Promise<Changed & Triggered> {
    const { overlap, scheduledAt, note, ...rest } = options;
    return await this.#verb(id, 'trigger', { note, overlap, scheduledAt }, rest);
  }

  /** Runs the slots of a range. */
  async backfill(
    id: string,
    range: BackfillRange,
    options: ClientChangeOptions = {},
  ): Promise<Changed & { readonly id: string }> {
    const { note, ...rest } = options;
    return await this.#verb(id, 'backfill', { ...range, note }, rest);
  }

  /** The exact slots that a backfill of the range would run. */
  async previewBackfill(
    id: string,
    range: TimeRange & { readonly limit?: number },
    options: CallOptions = {},
  ): Promise<BackfillPreview<OccurrenceJson, string>> {
    const query = { ...range };
    return await this.#transport.call('GET', `${pathOf(id)}/backfills/preview`, { ...options, query });
  }

  /** Cancels what a backfill has not started yet. */
  async cancelBackfill(
    id: string,
    backfillId: string,
    options: ClientChangeOptions = {},
  ): Promise<Changed & { readonly cancelled: number | null }> {
    const path = `${pathOf(id)}/backfills/${encodeURIComponent(backfillId)}`;
    return await this.#transport.call('DELETE', path, requestOf(options));
  }

  /** Applies one operation to up to 1000 schedules. Failures are reported and do not stop the others. */
  async bulk(
    verb: BulkVerb,
    ids: readonly string[],
    options: Omit<ClientChangeOptions, 'token'> & BulkOptions = {},
  ): Promise<BulkAnswer> {
    const { note, until, missed, ...rest } = options;
    const body = { note, until, missed, verb, ids };
    return await this.#transport.call('POST', '/schedules:bulk', { ...requestOf(rest), body });
  }

  /** Takes a schedule out of quarantine; it continues where it stopped. */
  async release(id: string, options: ClientChangeOptions = {}): Promise<void> {
    await this.#verb(id, 'release', undefined, options);
  }

  /** Closes the schedule. Runs that have begun go on; those that have not are cancelled unless `waiting` is `keep`. */
  async delete(
    id: string,
    options: ClientChangeOptions & { readonly waiting?: WaitingRuns } = {},
  ): Promise<Deleted> {
    const { waiting, ...rest } = options;
    return await this.#transport.call('DELETE', pathOf(id), { ...requestOf(rest), query: { waiting } });
  }

  /** The coming times. Default: the next five from now. */
  async next(
    id: string,
    query: { readonly after?: InstantInput; readonly count?: number } = {},
    options: CallOptions = {},
  ): Promise<readonly OccurrenceJson[]> {
    return (await this.#read<Items<OccurrenceJson>>(id, 'next', { ...options, query: { ...query } })).items;
  }

  /** Why the schedule did, or did not, run at that time. */
  async explain(id: string, at: InstantInput, options: CallOptions = {}): Promise<ExplanationJson> {
    const [own] = await this.explainAll(id, at, options);
    return own as ExplanationJson;
  }

  /** One explanation per cause at that time: the schedule's own first, then triggers and backfills. */
  async explainAll(
    id: string,
    at: InstantInput,
    options: CallOptions = {},
  ): Promise<readonly ExplanationJson[]> {
    const { items } = await this.#read<Items<ExplanationJson>>(id, 'why', { ...options, query: { at } });
    return items;
  }

  /** Every stored version of the spec, oldest first, and how far the schedule has come. */
  async versions(id: string, options: CallOptions = {}): Promise<HistoryJson> {
    return await this.#read(id, 'versions', options);
  }

  /** The ledger, newest first: one verdict per slot; neighbouring slots with equal verdicts share a row. */
  async slots(id: string, filters: SlotFilters = {}, options: CallOptions = {}): Promise<Page<SlotJson>> {
    return await this.#read(id, 'slots', { ...options, query: { ...filters } });
  }

  /** The runs of the schedule, newest first. */
  async runs(id: string, filters: RunFilters = {}, options: CallOptions = {}): Promise<Page<RunJson>> {
    return await this.#read(id, 'runs', { ...options, query: { ...filters } });
  }

  /** The audit log of the schedule, newest first. */
  async audit(id: string, paging: PageOptions = {}, options: CallOptions = {}): Promise<Page<AuditJson>> {
    return await this.#read(id, 'audit', { ...options, query: { ...paging } });
  }

  async #verb<T>(
    id: string,
    verb: string,
    body: object | undefined,
    options: ClientChangeOptions,
  ): Promise<T> {
    const request = requestOf(options);
    const sent = body === undefined ? request : { ...request, body };
    return await this.#transport.call('POST', `${pathOf(id)}:${verb}`, sent);
  }

  async #read<T>(id: string, what: string, request: Parameters<Transport['call']>[2]): Promise<T> {
    return await this.#transport.call('GET', `${pathOf(id)}/${what}`, request);
  }
}

interface Items<T> {
  readonly items: readonly T[];
}

function pathOf(id: string): string {
  return `/schedules/${encodeURIComponent(id)}`;
}

function requestOf({ token, note, ...options }: ClientChangeOptions): Request {
  return {
    ...options,
    headers: {
      ...(token === undefined ? {} : { 'if-match': `"${token}"` }),
      ...(note === undefined ? {} : { 'carillon-note': encodeURIComponent(note) }),
    },
  };
}
