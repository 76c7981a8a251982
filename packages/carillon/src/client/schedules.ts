/** Schedules of one namespace. */

import type { ScheduleInput } from '../service/schedule-input.ts';
import type {
  AuditJson,
  ExplanationJson,
  HistoryJson,
  OccurrenceJson,
  PageJson,
  RunJson,
  ScheduleJson,
  SlotJson,
  SummaryJson,
} from '../service/wire.ts';
import type { ClientProblem } from './error.ts';
import { each } from './paging.ts';
import type { CallOptions, Transport } from './transport.ts';

/** RFC 3339 with an offset, or milliseconds since 1970. */
export type Time = string | number;

export interface ScheduleFilters {
  readonly state?: 'running' | 'paused' | 'ended' | 'quarantined' | 'closed';
  /** All of them. */
  readonly tag?: readonly string[];
  readonly owner?: string;
  readonly queue?: string;
  readonly name?: string;
  readonly failing?: boolean;
  readonly busy?: boolean;
  readonly late?: boolean;
  readonly text?: string;
  readonly prefix?: string;
  readonly nextFrom?: Time;
  readonly nextTo?: Time;
  /** `name=value` */
  readonly attribute?: readonly string[];
  readonly includeClosed?: boolean;
  /** Inputs of actions; left out unless asked for. */
  readonly include?: 'payloads';
}

export interface Paging {
  readonly after?: string;
  readonly limit?: number;
}

/** `match`: the token that was read; the change is refused when there is a newer one. */
export interface UpdateOptions extends CallOptions {
  readonly match?: number;
}

export interface Changed {
  readonly token: number;
}

/** What writing a definition answers. */
export interface Written extends Changed {
  /** What is stored, but should be written differently; absent: nothing. */
  readonly warnings?: readonly ClientProblem[];
}

export interface BackfillInput {
  readonly from: Time;
  readonly to: Time;
  readonly overlap?: ScheduleInput['overlap'];
  readonly ratePerMinute?: number;
  readonly note?: string;
}

export interface BulkAnswer {
  /** In the order of the ids. */
  readonly items: readonly {
    readonly id: string;
    readonly ok: boolean;
    readonly reason: string | null;
    readonly message: string | null;
  }[];
  readonly failed: number;
}

export interface SlotFilters extends Paging {
  readonly from?: Time;
  readonly to?: Time;
  readonly verdict?: readonly string[];
  readonly cause?: string;
  readonly order?: 'ascending' | 'descending';
}

export class SchedulesClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(
    filters: ScheduleFilters & Paging = {},
    options: CallOptions = {},
  ): Promise<PageJson<SummaryJson>> {
    return await this.#transport.call('GET', '/schedules', { ...options, query: { ...filters } });
  }

  /** All pages, one schedule after the other. */
  each(filters: ScheduleFilters & Paging = {}): AsyncGenerator<SummaryJson, void, undefined> {
    return each((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }

  async count(filters: ScheduleFilters = {}, options: CallOptions = {}): Promise<number> {
    const query = { ...filters };
    const { count } = await this.#transport.call<{ count: number }>('GET', '/schedules:count', {
      ...options,
      query,
    });
    return count;
  }

  async get(id: string, options: CallOptions = {}): Promise<ScheduleJson> {
    return await this.#transport.call('GET', pathOf(id), options);
  }

  /** In the words of `create`, to be changed and sent back. */
  async definition(id: string, options: CallOptions = {}): Promise<ScheduleInput> {
    return await this.#transport.call('GET', `${pathOf(id)}/definition`, options);
  }

  /** Refused when the id is taken. */
  async create(id: string, schedule: ScheduleInput, options: CallOptions = {}): Promise<Written> {
    return await this.#transport.call('POST', '/schedules', { ...options, body: { ...schedule, id } });
  }

  /** Creates it or replaces it; with `match` only replaces. */
  async put(
    id: string,
    schedule: ScheduleInput,
    options: UpdateOptions = {},
  ): Promise<Written & { readonly created: boolean }> {
    return await this.#transport.call('PUT', pathOf(id), { ...conditional(options), body: schedule });
  }

  /** Changes what is named, keeps the rest; null takes a field back to its default. */
  async patch(
    id: string,
    changes: { readonly [Field in keyof ScheduleInput]?: ScheduleInput[Field] | null },
    options: UpdateOptions = {},
  ): Promise<Written> {
    return await this.#transport.call('PATCH', pathOf(id), { ...conditional(options), body: changes });
  }

  /** With `match` only when nobody changed it since. */
  async delete(id: string, options: UpdateOptions = {}): Promise<void> {
    await this.#transport.call('DELETE', pathOf(id), conditional(options));
  }

  async pause(
    id: string,
    fields: { readonly note?: string; readonly until?: Time } = {},
    options: UpdateOptions = {},
  ): Promise<Changed> {
    return await this.#verb(id, 'pause', fields, options);
  }

  /** `missed` says what becomes of the slots of the pause; default `skip`. */
  async resume(
    id: string,
    fields: { readonly note?: string; readonly missed?: NonNullable<ScheduleInput['missed']> } = {},
    options: UpdateOptions = {},
  ): Promise<Changed> {
    return await this.#verb(id, 'resume', fields, options);
  }

  async trigger(
    id: string,
    fields: {
      readonly note?: string;
      readonly overlap?: ScheduleInput['overlap'];
      readonly scheduledAt?: Time;
    } = {},
    options: UpdateOptions = {},
  ): Promise<Changed & { readonly cause: string }> {
    return await this.#verb(id, 'trigger', fields, options);
  }

  async backfill(
    id: string,
    range: BackfillInput,
    options: UpdateOptions = {},
  ): Promise<Changed & { readonly id: string }> {
    return await this.#verb(id, 'backfill', range, options);
  }

  async previewBackfill(
    id: string,
    range: { readonly from: Time; readonly to: Time; readonly limit?: number },
    options: CallOptions = {},
  ): Promise<{ readonly items: readonly OccurrenceJson[]; readonly truncated: boolean }> {
    const query = { ...range };
    return await this.#transport.call('GET', `${pathOf(id)}/backfills/preview`, { ...options, query });
  }

  async cancelBackfill(
    id: string,
    backfill: string,
    options: UpdateOptions = {},
  ): Promise<Changed & { readonly cancelled: number | null }> {
    const path = `${pathOf(id)}/backfills/${encodeURIComponent(backfill)}`;
    return await this.#transport.call('DELETE', path, conditional(options));
  }

  /** One verb over up to 1000 schedules; what fails is told, and does not hold up the others. */
  async bulk(
    verb: 'pause' | 'resume' | 'trigger' | 'delete',
    ids: readonly string[],
    fields: { readonly note?: string; readonly missed?: NonNullable<ScheduleInput['missed']> } = {},
    options: CallOptions = {},
  ): Promise<BulkAnswer> {
    const body = { ...fields, verb, ids };
    return await this.#transport.call('POST', '/schedules:bulk', { ...options, body });
  }

  async release(id: string, options: UpdateOptions = {}): Promise<void> {
    await this.#verb(id, 'release', undefined, options);
  }

  async next(
    id: string,
    query: { readonly after?: Time; readonly count?: number } = {},
    options: CallOptions = {},
  ): Promise<readonly OccurrenceJson[]> {
    return (await this.#read<Items<OccurrenceJson>>(id, 'next', { ...options, query: { ...query } })).items;
  }

  /** Why it did, or did not, run at that time: one answer per cause, its own first. */
  async why(id: string, at: Time, options: CallOptions = {}): Promise<readonly ExplanationJson[]> {
    const { items } = await this.#read<Items<ExplanationJson>>(id, 'why', { ...options, query: { at } });
    return [...items].sort((a, b) => Number(b.cause === 'auto') - Number(a.cause === 'auto'));
  }

  /** Every stored version of when it runs, oldest first, and how far it has come. */
  async versions(id: string, options: CallOptions = {}): Promise<HistoryJson> {
    return await this.#read(id, 'versions', options);
  }

  /** The ledger, newest first. */
  async slots(id: string, filters: SlotFilters = {}, options: CallOptions = {}): Promise<PageJson<SlotJson>> {
    return await this.#read(id, 'slots', { ...options, query: { ...filters } });
  }

  async runs(
    id: string,
    paging: Paging & { readonly include?: 'payloads' } = {},
    options: CallOptions = {},
  ): Promise<PageJson<RunJson>> {
    return await this.#read(id, 'runs', { ...options, query: { ...paging } });
  }

  async audit(id: string, paging: Paging = {}, options: CallOptions = {}): Promise<PageJson<AuditJson>> {
    return await this.#read(id, 'audit', { ...options, query: { ...paging } });
  }

  async #verb<T>(id: string, verb: string, body: object | undefined, options: UpdateOptions): Promise<T> {
    const sent = body === undefined ? conditional(options) : { ...conditional(options), body };
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

function conditional({ match, ...options }: UpdateOptions) {
  return match === undefined ? options : { ...options, headers: { 'if-match': `"${match}"` } };
}
