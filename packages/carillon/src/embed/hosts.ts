/** The workflows on hosts of one namespace. */
import { given } from '../base/given.ts';
import type { Page, PageOptions } from '../service/api.ts';
import type { HostEventView } from '../service/hosts/event-view.ts';
import type { HostCaller } from '../service/hosts/host-audit.ts';
import type { HostEvent, HostEvents } from '../service/hosts/host-events.ts';
import type { HostExplanation } from '../service/hosts/host-explain.ts';
import type { HostName } from '../service/hosts/host-reads.ts';
import type { HostRunView } from '../service/hosts/host-run-view.ts';
import { viewHostRun } from '../service/hosts/host-run-view.ts';
import type { HostService } from '../service/hosts/host-service.ts';
import type { HostSlotView } from '../service/hosts/host-slot-view.ts';
import type { HostDescription, HostSummary } from '../service/hosts/host-view.ts';
import type {
  ChangeResolution,
  EventFilters,
  HandlerName,
  HostChangeOptions,
  HostFilters,
  HostQuestion,
  HostsApi,
  OutsideMessage,
} from '../service/hosts/hosts-api.ts';
import { readInstant } from '../service/schedule-input.ts';

/** Options of an embedded change; the caller may name the actor. */
export interface EmbedHostOptions extends HostChangeOptions {
  /** The actor in the audit log. Default `embedded`. */
  readonly actor?: string;
}

/** The answers of an embedded Carillon. Times are milliseconds since 1970. */
export interface EmbedHostViews {
  readonly host: HostDescription;
  readonly hostSummary: HostSummary;
  readonly hostEvent: HostEventView;
  readonly hostRun: HostRunView;
  readonly hostExplanation: HostExplanation;
  readonly hostSlot: HostSlotView;
}

export interface HostsOptions {
  readonly service: HostService;
  readonly events: HostEvents;
  readonly namespace: string;
}

export class Hosts implements HostsApi<EmbedHostViews> {
  readonly #service: HostService;
  readonly #events: HostEvents;
  readonly #namespace: string;

  constructor(options: HostsOptions) {
    this.#service = options.service;
    this.#events = options.events;
    this.#namespace = options.namespace;
  }

  /**
   * Calls the listener after each durable event of workflows that this process decided, of all namespaces. Returns an
   * unsubscribe function.
   */
  subscribe(listener: (event: HostEvent) => void): () => void {
    return this.#events.subscribe(listener);
  }

  async list(filters: HostFilters = {}): Promise<Page<HostSummary>> {
    return await this.#service.list({ namespace: this.#namespace, ...filters });
  }

  async describe(workflow: string): Promise<HostDescription> {
    return await this.#service.describe(this.#name(workflow));
  }

  async pause(workflow: string, options: EmbedHostOptions = {}): Promise<void> {
    await this.#service.pause(this.#name(workflow), caller(options));
  }

  async resume(workflow: string, options: EmbedHostOptions = {}): Promise<void> {
    await this.#service.resume(this.#name(workflow), caller(options));
  }

  async trigger(
    workflow: string,
    handler: HandlerName,
    options: EmbedHostOptions = {},
  ): Promise<{ readonly runId: string | null }> {
    return await this.#service.trigger(this.#name(workflow), handler, caller(options));
  }

  async publish(
    workflow: string,
    topic: string,
    messages: OutsideMessage | readonly OutsideMessage[],
    options: EmbedHostOptions = {},
  ): Promise<{ readonly published: number; readonly ids: readonly string[] }> {
    const list = (Array.isArray(messages) ? messages : [messages]) as readonly OutsideMessage[];
    const sent = list.map((message) => ({ ...message, topic }));
    return await this.#service.publish(this.#name(workflow), sent, caller(options));
  }

  async skip(
    workflow: string,
    topic: string,
    event: string,
    options: EmbedHostOptions = {},
  ): Promise<{ readonly outcome: 'skipped' | 'tooLate' }> {
    return await this.#service.skip(this.#name(workflow), { topic, id: event }, caller(options));
  }

  async resolve(
    workflow: string,
    resolution: ChangeResolution,
    options: EmbedHostOptions = {},
  ): Promise<void> {
    const { result, ...rest } = { result: null, ...resolution };
    const full = resolution.action === 'happened' ? { action: resolution.action, result } : rest;
    await this.#service.resolve(this.#name(workflow), full as never, caller(options));
  }

  async events(workflow: string, topic: string, filters: EventFilters = {}): Promise<Page<HostEventView>> {
    const { state, id, ...rest } = filters;
    return await this.#service.events(this.#name(workflow), {
      topic,
      ...rest,
      ...given({ states: state, ids: id }),
    });
  }

  async runs(workflow: string, options: PageOptions = {}): Promise<Page<HostRunView>> {
    const page = await this.#service.runs(this.#name(workflow), options);
    return { items: page.items.map(viewHostRun), next: page.next };
  }

  async attempts(workflow: string, run: string): Promise<readonly HostRunView[]> {
    return (await this.#service.attempts(this.#name(workflow), run)).map(viewHostRun);
  }

  async slots(workflow: string, producer: string, options: PageOptions = {}): Promise<Page<HostSlotView>> {
    return await this.#service.slots(this.#name(workflow), producer, options);
  }

  async explain(workflow: string, question: HostQuestion): Promise<HostExplanation> {
    const asked = 'producer' in question ? { ...question, at: readInstant(question.at, 'at') } : question;
    return await this.#service.explain(this.#name(workflow), asked);
  }

  async release(workflow: string, options: EmbedHostOptions = {}): Promise<void> {
    await this.#service.release(this.#name(workflow), caller(options));
  }

  async delete(workflow: string, options: EmbedHostOptions = {}): Promise<void> {
    await this.#service.delete(this.#name(workflow), caller(options));
  }

  #name(id: string): HostName {
    return { namespace: this.#namespace, id };
  }
}

function caller({ actor = 'embedded', note, requestId }: EmbedHostOptions): HostCaller {
  return { actor, door: 'embed', ...given({ note, requestId }) };
}
