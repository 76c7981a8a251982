/** Runs of one namespace, over HTTP. */
import { eachItem } from '../base/paging.ts';
import type { Plain } from '../base/plain-data.ts';
import type { ActionInput } from '../service/action-input.ts';
import type {
  AgainOptions,
  LogOptions,
  Page,
  RunFilters,
  RunStopOptions,
  RunsApi,
  Stopped,
} from '../service/api.ts';
import type { InstantInput } from '../service/schedule-input.ts';
import type { AttemptJson, JsonViews, LogLineJson, RunJson } from '../service/wire.ts';
import { demandPlain } from './plain-payloads.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Work to enqueue, with the fields of a schedule's action. */
export interface WorkInput
  extends Pick<
    ActionInput,
    'input' | 'queue' | 'priority' | 'retry' | 'attemptTimeout' | 'timeout' | 'unclaimedTimeout'
  > {
  /** The name of a handler. */
  readonly run: string;
  /** The earliest time at which the run may start. */
  readonly at?: InstantInput;
  /** A repeated call with the same id within a day returns the same run. */
  readonly requestId?: string;
}

/** Work with an input of plain data. */
export type PlainWork<Data> = WorkInput & { readonly input?: Plain<Data> };

interface LogPageJson {
  readonly items: readonly LogLineJson[];
  readonly cursor: string | null;
  readonly isComplete: boolean;
}

/** How long the server holds one request for a run that has not ended. */
const longPollMs = 20_000;

export class RunsClient implements RunsApi<JsonViews, WorkInput> {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists runs, newest first. */
  async list(filters: RunFilters = {}, options: CallOptions = {}): Promise<Page<RunJson>> {
    return await this.#transport.call('GET', '/runs', { ...options, query: { ...filters } });
  }

  /** Iterates over the runs of all pages. */
  each(filters: RunFilters = {}): AsyncGenerator<RunJson, void, undefined> {
    return eachItem((after) => this.list(after === undefined ? filters : { ...filters, after }));
  }

  async get(id: string, options: CallOptions = {}): Promise<RunJson> {
    return await this.#transport.call('GET', pathOf(id), options);
  }

  /** The attempts of a run, oldest first: when each began and ended, where, and why it failed. */
  async attempts(id: string, options: CallOptions = {}): Promise<readonly AttemptJson[]> {
    const path = `${pathOf(id)}/attempts`;
    return (await this.#transport.call<{ readonly items: readonly AttemptJson[] }>('GET', path, options))
      .items;
  }

  /** Queues work without a schedule. */
  async enqueue<Data>({ requestId, ...work }: PlainWork<Data>, options: CallOptions = {}): Promise<RunJson> {
    const named = requestId === undefined ? options : { ...options, requestId };
    return await this.#transport.call('POST', '/runs', { ...named, body: demandPlain(work) });
  }

  /** Resolves when the run has ended, however it ended. */
  async wait(id: string, options: Pick<CallOptions, 'signal'> = {}): Promise<RunJson> {
    for (;;) {
      const query = { waitMs: longPollMs };
      const run = await this.#transport.call<RunJson>('GET', pathOf(id), { ...options, query });
      if (run.state === 'done') return run;
    }
  }

  /** The lines that the attempts of the run logged, oldest first; with `follow`, until the run has ended. */
  async *log(id: string, options: LogOptions = {}): AsyncGenerator<LogLineJson, void, undefined> {
    const { attempt, follow = false, signal } = options;
    let after: string | undefined;
    for (;;) {
      const waitMs = follow ? longPollMs : undefined;
      const page = await this.#transport.call<LogPageJson>('GET', `${pathOf(id)}/log`, {
        query: { attempt, after, waitMs },
        ...(signal === undefined ? {} : { signal }),
      });
      yield* page.items;
      if (page.isComplete || (!follow && page.items.length === 0)) return;
      after = page.cursor ?? undefined;
    }
  }

  /** Starts the work of a finished run again, with the same input, as a new run that names it in `againOf`. */
  async again(id: string, options: AgainOptions & CallOptions = {}): Promise<RunJson> {
    const { note, ...rest } = options;
    return await this.#transport.call('POST', `${pathOf(id)}:again`, { ...rest, headers: noteHeader(note) });
  }

  /** Removes a finished run with its log before retention does; refused for a run that has not ended. */
  async delete(id: string, options: RunStopOptions & CallOptions = {}): Promise<void> {
    const { reason, ...rest } = options;
    await this.#transport.call('DELETE', pathOf(id), { ...rest, headers: noteHeader(reason) });
  }

  /** Asks the run's handler to stop by aborting its signal. A waiting run ends at once. */
  async cancel(id: string, options: RunStopOptions & CallOptions = {}): Promise<Stopped> {
    return await this.#stop(id, 'cancel', options);
  }

  /** Ends the run at once and ignores what its handler still does. */
  async terminate(id: string, options: RunStopOptions & CallOptions = {}): Promise<Stopped> {
    return await this.#stop(id, 'terminate', options);
  }

  async #stop(id: string, verb: string, options: RunStopOptions & CallOptions): Promise<Stopped> {
    const { reason, ...rest } = options;
    const request = { ...rest, body: { reason } };
    const path = `${pathOf(id)}:${verb}`;
    return (await this.#transport.call<{ readonly stopped: Stopped }>('POST', path, request)).stopped;
  }
}

function noteHeader(note: string | undefined): Readonly<Record<string, string>> {
  return note === undefined ? {} : { 'carillon-note': encodeURIComponent(note) };
}

function pathOf(id: string): string {
  return `/runs/${encodeURIComponent(id)}`;
}
