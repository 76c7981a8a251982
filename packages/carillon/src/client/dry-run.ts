/**
 * Changes of schedules, runs, workflows, views, keys and namespaces, as dry runs: the same calls answer what they would
 * do, and change nothing.
 */
import type {
  BackfillRange,
  BulkOptions,
  BulkVerb,
  MissedWord,
  OverlapPolicy,
  SchedulePatchInput,
} from '../service/api.ts';
import type { ChangeResolution, HandlerName, OutsideMessage } from '../service/hosts/hosts-api.ts';
import type { BulkEffects } from '../service/insight/change-effects.ts';
import type { Effects } from '../service/insight/effects.ts';
import type { RecordEffects } from '../service/record-effects.ts';
import type { InstantInput, ScheduleInput } from '../service/schedule-input.ts';
import type { WorkEffects } from '../service/work-effects.ts';
import { demandPlain } from './plain-payloads.ts';
import type { PlainWork } from './runs.ts';
import type { KeyRole, NamespaceChange, NamespaceDetails } from './settings.ts';
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

  /** Like `upsert`; the `trial` of the answer says what the definition would have done in the past week. */
  async trial(id: string, schedule: ScheduleInput, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('PUT', pathOf(id), schedule, options, 'trial');
  }

  async pause(
    id: string,
    { until, note }: { readonly until?: InstantInput; readonly note?: string } = {},
    options: CallOptions = {},
  ): Promise<Effects> {
    return await this.#ask('POST', `${pathOf(id)}:pause`, { until, note }, options);
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

  /** Cancels what a backfill has not started yet. */
  async cancelBackfill(id: string, backfillId: string, options: CallOptions = {}): Promise<Effects> {
    const path = `${pathOf(id)}/backfills/${encodeURIComponent(backfillId)}`;
    return await this.#ask('DELETE', path, undefined, options);
  }

  async delete(id: string, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('DELETE', pathOf(id), undefined, options);
  }

  /** Takes a schedule out of quarantine. */
  async release(id: string, options: CallOptions = {}): Promise<Effects> {
    return await this.#ask('POST', `${pathOf(id)}:release`, undefined, options);
  }

  async bulk(
    verb: BulkVerb,
    ids: readonly string[],
    { until, missed }: BulkOptions = {},
    options: CallOptions = {},
  ): Promise<BulkEffects> {
    return await this.#ask('POST', '/schedules:bulk', { verb, ids, until, missed }, options);
  }

  /** Queues work without a schedule. */
  async enqueueRun<Data>(
    { requestId: _, ...work }: PlainWork<Data>,
    options: CallOptions = {},
  ): Promise<WorkEffects> {
    return await this.#ask('POST', '/runs', demandPlain(work), options);
  }

  /** Cancels a run: asks its handler to stop; one that waits ends at once. */
  async cancelRun(id: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${runPath(id)}:cancel`, {}, options);
  }

  async terminateRun(id: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${runPath(id)}:terminate`, {}, options);
  }

  async runAgain(id: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${runPath(id)}:again`, undefined, options);
  }

  async deleteRun(id: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('DELETE', runPath(id), undefined, options);
  }

  async pauseHost(workflow: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${hostPath(workflow)}:pause`, {}, options);
  }

  async resumeHost(workflow: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${hostPath(workflow)}:resume`, {}, options);
  }

  async triggerHost(workflow: string, handler: HandlerName, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${hostPath(workflow)}:trigger`, handler, options);
  }

  /** Publishes to a topic from outside. */
  async publishToHost(
    workflow: string,
    topic: string,
    messages: OutsideMessage | readonly OutsideMessage[],
    options: CallOptions = {},
  ): Promise<WorkEffects> {
    const list = Array.isArray(messages) ? messages : [messages];
    return await this.#ask('POST', `${hostPath(workflow)}:publish`, { topic, messages: list }, options);
  }

  /** Sets an event aside for good. */
  async skipEvent(
    workflow: string,
    topic: string,
    event: string,
    options: CallOptions = {},
  ): Promise<WorkEffects> {
    return await this.#ask('POST', `${hostPath(workflow)}:skip`, { topic, event }, options);
  }

  /** Decides about a change whose outcome is not known. */
  async resolveChange(
    workflow: string,
    resolution: ChangeResolution,
    options: CallOptions = {},
  ): Promise<WorkEffects> {
    return await this.#ask('POST', `${hostPath(workflow)}:resolve`, resolution, options);
  }

  /** Takes a workflow out of quarantine. */
  async releaseHost(workflow: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('POST', `${hostPath(workflow)}:release`, {}, options);
  }

  async deleteHost(workflow: string, options: CallOptions = {}): Promise<WorkEffects> {
    return await this.#ask('DELETE', hostPath(workflow), undefined, options);
  }

  /** Saves a query under a name; a view that has the name is replaced. */
  async saveView(
    name: string,
    view: { readonly query: string; readonly place?: string },
    options: CallOptions = {},
  ): Promise<RecordEffects> {
    return await this.#ask('PUT', `/views/${encodeURIComponent(name)}`, view, options);
  }

  async removeView(name: string, options: CallOptions = {}): Promise<RecordEffects> {
    return await this.#ask('DELETE', `/views/${encodeURIComponent(name)}`, undefined, options);
  }

  async createKey(
    key: { readonly name: string; readonly role: KeyRole; readonly namespaces?: readonly string[] },
    options: CallOptions = {},
  ): Promise<RecordEffects> {
    return await this.#ask('POST', '/keys', key, options);
  }

  async revokeKey(name: string, options: CallOptions = {}): Promise<RecordEffects> {
    return await this.#ask('DELETE', `/keys/${encodeURIComponent(name)}`, undefined, options);
  }

  async createNamespace(
    name: string,
    details: NamespaceDetails = {},
    options: CallOptions = {},
  ): Promise<RecordEffects> {
    return await this.#ask('POST', '/namespaces', { name, ...details }, options);
  }

  async updateNamespace(
    name: string,
    change: NamespaceChange,
    options: CallOptions = {},
  ): Promise<RecordEffects> {
    return await this.#ask('PATCH', `/namespaces/${encodeURIComponent(name)}`, change, options);
  }

  async deleteNamespace(name: string, options: CallOptions = {}): Promise<RecordEffects> {
    return await this.#ask('DELETE', `/namespaces/${encodeURIComponent(name)}`, undefined, options);
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

function runPath(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}

function hostPath(workflow: string): string {
  return `/hosts/${encodeURIComponent(workflow)}`;
}
