/** The changes of schedules, told before they are done: the same calls as on `schedules`, and nothing is changed. */
import type {
  BackfillRange,
  BulkVerb,
  MissedWord,
  OverlapPolicy,
  SchedulePatchInput,
} from '../service/api.ts';
import type { Effects } from '../service/insight/effects.ts';
import type { BulkEffects } from '../service/insight/insight.ts';
import type { InstantInput, ScheduleInput } from '../service/schedule-input.ts';
import type { CallOptions, Transport } from './transport.ts';

export class DryRunClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async create(id: string, schedule: ScheduleInput, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('POST', '/schedules', { ...schedule, id }, options);
  }

  /** Replaces the definition, or creates the schedule when there is none. */
  async upsert(id: string, schedule: ScheduleInput, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('PUT', pathOf(id), schedule, options);
  }

  async patch(id: string, changes: SchedulePatchInput, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('PATCH', pathOf(id), changes, options);
  }

  /** As `upsert`, and the definition is tried on the past week: `trial` of the answer. */
  async trial(id: string, schedule: ScheduleInput, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('PUT', pathOf(id), schedule, options, 'trial');
  }

  async pause(
    id: string,
    { until }: { readonly until?: InstantInput } = {},
    options: CallOptions = {},
  ): Promise<Effects> {
    return await this.#ask('POST', `${pathOf(id)}:pause`, { until }, options);
  }

  async resume(
    id: string,
    { missed }: { readonly missed?: MissedWord } = {},
    options: CallOptions = {},
  ): Promise<Effects> {
    return await this.#ask('POST', `${pathOf(id)}:resume`, { missed }, options);
  }

  async trigger(
    id: string,
    { overlap, scheduledAt }: { readonly overlap?: OverlapPolicy; readonly scheduledAt?: InstantInput } = {},
    options: CallOptions = {},
  ): Promise<Effects> {
    return await this.#ask('POST', `${pathOf(id)}:trigger`, { overlap, scheduledAt }, options);
  }

  async backfill(id: string, range: BackfillRange, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('POST', `${pathOf(id)}:backfill`, range, options);
  }

  async delete(id: string, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('DELETE', pathOf(id), undefined, options);
  }

  async bulk(
    verb: BulkVerb,
    ids: readonly string[],
    { missed }: { readonly missed?: MissedWord } = {},
    options: CallOptions = {},
  ): Promise<BulkEffects> {
    return await this.#ask('POST', '/schedules:bulk', { verb, ids, missed }, options);
  }

  async #ask<T>(
    method: string,
    path: string,
    body: unknown,
    options: CallOptions,
    dryRun: true | 'trial' = true,
  ): Promise<T> {
    const query = { dryRun };
    return await this.#transport.call(method, path, {
      ...options,
      query,
      ...(body === undefined ? {} : { body }),
    });
  }
}

function pathOf(id: string): string {
  return `/schedules/${encodeURIComponent(id)}`;
}
