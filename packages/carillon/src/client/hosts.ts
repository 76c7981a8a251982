/** Workflows on hosts of one namespace, over HTTP. */
import type { Page, PageOptions } from '../service/api.ts';
import type {
  HostEventJson,
  HostExplanationJson,
  HostJson,
  HostRunJson,
  HostSlotJson,
  HostSummaryJson,
} from '../service/hosts/host-wire.ts';
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
import type { CallOptions, Transport } from './transport.ts';

/** The answers over HTTP. Times are RFC 3339 texts. */
export interface JsonHostViews {
  readonly host: HostJson;
  readonly hostSummary: HostSummaryJson;
  readonly hostEvent: HostEventJson;
  readonly hostRun: HostRunJson;
  readonly hostExplanation: HostExplanationJson;
  readonly hostSlot: HostSlotJson;
}

/** Options of a change over HTTP; the caller can abort the call. */
export interface ClientHostOptions extends HostChangeOptions, CallOptions {}

export class HostsClient implements HostsApi<JsonHostViews> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(filters: HostFilters = {}, options: CallOptions = {}): Promise<Page<HostSummaryJson>> {
    return await this.#transport.call('GET', '/hosts', { ...options, query: { ...filters } });
  }

  async describe(workflow: string, options: CallOptions = {}): Promise<HostJson> {
    return await this.#transport.call('GET', pathOf(workflow), options);
  }

  async pause(workflow: string, options: ClientHostOptions = {}): Promise<void> {
    await this.#verb(workflow, 'pause', {}, options);
  }

  async resume(workflow: string, options: ClientHostOptions = {}): Promise<void> {
    await this.#verb(workflow, 'resume', {}, options);
  }

  async trigger(
    workflow: string,
    handler: HandlerName,
    options: ClientHostOptions = {},
  ): Promise<{ readonly runId: string | null }> {
    return await this.#verb(workflow, 'trigger', handler, options);
  }

  async publish(
    workflow: string,
    topic: string,
    messages: OutsideMessage | readonly OutsideMessage[],
    options: ClientHostOptions = {},
  ): Promise<{ readonly published: number; readonly ids: readonly string[] }> {
    const list = Array.isArray(messages) ? messages : [messages];
    return await this.#verb(workflow, 'publish', { topic, messages: list }, options);
  }

  async skip(
    workflow: string,
    topic: string,
    event: string,
    options: ClientHostOptions = {},
  ): Promise<{ readonly outcome: 'skipped' | 'tooLate' }> {
    return await this.#verb(workflow, 'skip', { topic, event }, options);
  }

  async resolve(
    workflow: string,
    resolution: ChangeResolution,
    options: ClientHostOptions = {},
  ): Promise<void> {
    await this.#verb(workflow, 'resolve', resolution, options);
  }

  async events(workflow: string, topic: string, filters: EventFilters = {}): Promise<Page<HostEventJson>> {
    return await this.#transport.call('GET', `${pathOf(workflow)}/events`, { query: { topic, ...filters } });
  }

  async runs(workflow: string, options: PageOptions = {}): Promise<Page<HostRunJson>> {
    return await this.#transport.call('GET', `${pathOf(workflow)}/runs`, { query: { ...options } });
  }

  async attempts(workflow: string, run: string): Promise<readonly HostRunJson[]> {
    const path = `${pathOf(workflow)}/runs/${encodeURIComponent(run)}/attempts`;
    return (await this.#transport.call<{ readonly items: readonly HostRunJson[] }>('GET', path)).items;
  }

  async slots(workflow: string, producer: string, options: PageOptions = {}): Promise<Page<HostSlotJson>> {
    return await this.#transport.call('GET', `${pathOf(workflow)}/slots`, {
      query: { producer, ...options },
    });
  }

  async explain(workflow: string, question: HostQuestion): Promise<HostExplanationJson> {
    return await this.#transport.call('GET', `${pathOf(workflow)}/why`, { query: { ...question } });
  }

  async release(workflow: string, options: ClientHostOptions = {}): Promise<void> {
    await this.#verb(workflow, 'release', {}, options);
  }

  async delete(workflow: string, options: ClientHostOptions = {}): Promise<void> {
    const { note, ...rest } = options;
    const headers = note === undefined ? {} : { 'carillon-note': encodeURIComponent(note) };
    await this.#transport.call('DELETE', pathOf(workflow), { ...rest, headers });
  }

  async #verb<T>(workflow: string, verb: string, body: object, options: ClientHostOptions): Promise<T> {
    const { note, ...rest } = options;
    const sent = note === undefined ? body : { ...body, note };
    return await this.#transport.call('POST', `${pathOf(workflow)}:${verb}`, { ...rest, body: sent });
  }
}

function pathOf(workflow: string): string {
  return `/hosts/${encodeURIComponent(workflow)}`;
}
