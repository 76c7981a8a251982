/**
 * All use cases of workflows on hosts. Doors only translate to these calls; embedded callers use them directly. Every change
 * names its actor and its door, and its transaction also writes the audit log.
 */
import type { Clock } from '../../base/clock.ts';
import type { Problem } from '../../base/error.ts';
import { ServiceError } from '../../base/error.ts';
import { given } from '../../base/given.ts';
import type { Instant } from '../../base/time.ts';
import type { Engine, UpdateOptions } from '../../engine/engine.ts';
import { create, newHost, redeploy } from '../../host/deploy.ts';
import { dataOf, publishNeeds } from '../../host/event-lines.ts';
import type { Graph } from '../../host/graph.ts';
import type { HostNode, HostView } from '../../host/host.ts';
import { Host } from '../../host/host.ts';
import { hostArchetype } from '../../host/library.ts';
import { longestNote, mostPublished } from '../../host/limits.ts';
import { jsonOf, readMessage } from '../../host/messages.ts';
import { hostQueue, runName } from '../../host/proceed.ts';
import { Runner } from '../../host/runner.ts';
import type { HostSettings } from '../../host/settings.ts';
import type { Resolution, Skipped } from '../../host/verbs.ts';
import {
  close,
  pause,
  publishOutside,
  resolutions,
  resolve,
  resume,
  skipEvent,
  skipNeeds,
  triggerConsumer,
  triggerProducer,
} from '../../host/verbs.ts';
import { causeOf } from '../../host/verdict.ts';
import type { Workflow } from '../../host/workflow.ts';
import { terminate } from '../../runs/lifecycle.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import { saveRun } from '../../runs/run-queue.ts';
import type { WorkerQueue } from '../../runs/worker.ts';
import { matchesFilter } from '../../store/filter.ts';
import type {
  EventRow,
  EventState,
  ExecutionKey,
  ListedExecution,
  RunRow,
  SlotRow,
} from '../../store/records.ts';
import type { Filter, ListQuery, Page, Store } from '../../store/store.ts';
import { boundedRuns } from '../bounded-runs.ts';
import { largestPage } from '../limits.ts';
import { checkName } from '../schedule-checks.ts';
import { unreadableBy } from '../unreadable.ts';
import type { HostExplanation } from './host-explain.ts';
import { explainConsumer, explainEvent, explainProducer } from './host-explain.ts';
import type { HostDescription, HostSummary } from './host-view.ts';
import { describeHost, summarizeHost } from './host-view.ts';

export interface HostName {
  readonly namespace: string;
  readonly id: string;
}

export interface HostCaller {
  readonly actor: string;
  readonly door: string;
  readonly note?: string;
  /** The idempotency key: a repeated call with the same key changes nothing and returns the first answer. */
  readonly requestId?: string;
}

export interface HostQuery {
  readonly namespace: string;
  /** A part of the name of the workflow, a topic, a producer or a consumer. */
  readonly text?: string;
  /** Only workflows that wait for a person. */
  readonly blocked?: boolean;
  readonly after?: string;
  readonly limit?: number;
}

export interface HostEventQuery {
  readonly topic: string;
  readonly states?: readonly EventState[];
  readonly ids?: readonly string[];
  readonly order?: 'ascending' | 'descending';
  readonly after?: string;
  readonly limit?: number;
}

export interface PublishedMessage {
  readonly topic: string;
  readonly id?: string;
  readonly payload: unknown;
}

/** An event as callers see it. */
export interface HostEventView {
  readonly topic: string;
  readonly id: string;
  readonly sequence: number;
  readonly state: EventState;
  /** The run that reserved it or worked on it. */
  readonly runId: string | null;
  /** The run that published it; null: from outside. */
  readonly publishedBy: string | null;
  readonly attempt: number;
  readonly publishedAt: Instant;
  readonly changedAt: Instant;
  readonly payload: unknown;
  readonly skippedBy: string | null;
  readonly note: string | null;
}

/** The rows of one piece of a walk. */
const walked = 500;
/** The most rows that one listing walks over where the store cannot filter. */
const mostWalked = 20_000;

export interface HostServiceOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly queue: RunQueue;
  readonly newId: () => string;
}

/** A workflow that this program knows, with the host's settings for it. */
export interface KnownWorkflow {
  readonly namespace: string;
  readonly workflow: Workflow;
  readonly graph: Graph;
  readonly settings: HostSettings;
}

/** Runs of hosts that one node carries out at once. */
const defaultConcurrency = 100;

/** Workflows that one transaction deploys. */
const deployedAtOnce = 100;

export class HostService {
  readonly #options: HostServiceOptions;
  readonly #known = new Map<string, KnownWorkflow>();
  readonly #runner: Runner;
  #concurrency = 0;
  #isDeployed = false;

  constructor(options: HostServiceOptions) {
    this.#options = options;
    this.#runner = new Runner({ engine: options.engine, queue: options.queue, clock: options.clock });
  }

  /** Adds workflows that this program can run; `deploy` stores them. */
  register(workflows: readonly KnownWorkflow[], concurrency: number = defaultConcurrency): void {
    if (this.#isDeployed) throw new Error('create the host before start()');
    const problems: Problem[] = [];
    for (const each of workflows) {
      const name = nameText(each.namespace, each.workflow.name);
      if (this.#known.has(name))
        problems.push({
          path: each.workflow.name,
          reason: 'NAME_TAKEN',
          message: `the workflow '${each.workflow.name}' is on a host already`,
          fix: 'give each workflow once',
        });
      this.#known.set(name, each);
    }
    if (problems.length > 0) throw ServiceError.invalid(problems);
    this.#concurrency = Math.max(this.#concurrency, concurrency);
  }

  /** The queue of this program's workflows; none when it knows none. */
  queues(): Readonly<Record<string, WorkerQueue>> {
    if (this.#known.size === 0) return {};
    const byName = new Map<string, KnownWorkflow>();
    for (const each of this.#known.values()) byName.set(runName(each.namespace, each.workflow.name), each);
    return {
      [hostQueue]: {
        concurrency: this.#concurrency,
        handlers: (name: string) => {
          const known = byName.get(name);
          return known === undefined ? undefined : this.#runner.handlerOf(known.namespace, known.workflow);
        },
      },
    };
  }

  /** Stores the workflows of this program: new ones are created, changed ones replaced. */
  async deploy(): Promise<void> {
    this.#isDeployed = true;
    const all = [...this.#known.values()];
    for (let from = 0; from < all.length; from += deployedAtOnce) {
      await this.#deploy(all.slice(from, from + deployedAtOnce));
    }
  }

  async #deploy(workflows: readonly KnownWorkflow[]): Promise<void> {
    const { engine, newId } = this.#options;
    const keys = workflows.map(({ namespace, workflow }) => keyOf({ namespace, id: workflow.name }));
    const incarnations = workflows.map(() => newId());
    const work = () =>
      engine.transact({ kind: 'keys', keys }, (batch) => {
        workflows.forEach(({ graph, settings }, place) => {
          const key = keys[place] as ExecutionKey;
          const row = batch.rowOf(key);
          if (row === undefined || row.status === 'closed') {
            const tree = batch.create(key, incarnations[place] as string, newHost);
            create(tree.root as HostNode, { graph, settings });
            audit(tree.root as HostNode, { actor: 'program', door: 'deploy' }, 'deploy');
            return;
          }
          const host = batch.open(row).root as HostNode;
          if (redeploy(host, { graph, settings }))
            audit(host, { actor: 'program', door: 'deploy' }, 'deploy');
        });
      });
    try {
      await work();
    } catch (error) {
      // Another node created the same workflows in this moment; now they can be read.
      if ((error as { readonly trouble?: unknown }).trouble !== 'conflict') throw error;
      await work();
    }
  }

  async list(asked: HostQuery): Promise<Page<HostSummary>> {
    const { namespace, text, blocked, after, limit = 100 } = asked;
    const { store } = this.#options;
    const filters = [
      ...(text === undefined ? [] : [{ field: '$text', is: 'contains' as const, value: text.toLowerCase() }]),
      ...(blocked === undefined ? [] : [{ field: '$blocked', is: '=' as const, value: blocked ? 1 : 0 }]),
    ];
    const query = { namespace, archetype: hostArchetype, status: 'open' as const };
    const paging = { limit: Math.min(limit, largestPage), ...given({ after }) };
    const filter: Filter = { all: filters };
    const page =
      filters.length === 0
        ? await store.list({ ...query, ...paging })
        : store.capabilities.filters === 'all'
          ? await store.list({ ...query, ...paging, filter })
          : await this.#walk(query, paging, filter);
    const items = await Promise.all(page.items.map((row) => this.#summary(row)));
    return { items, next: page.next };
  }

  /** For stores that filter by id only: reads the rows, a bounded number of them, and filters here. */
  async #walk(
    query: Pick<ListQuery, 'namespace' | 'archetype' | 'status'>,
    { limit, after }: { readonly limit: number; readonly after?: string },
    filter: Filter,
  ): Promise<Page<ListedExecution>> {
    const items: ListedExecution[] = [];
    let next = after ?? null;
    for (let seen = 0; seen < mostWalked && items.length < limit; seen += walked) {
      // Pieces as small as what is still wanted: a cursor stands at the end of a piece.
      const piece = Math.min(walked, Math.max(1, limit - items.length));
      const page = await this.#options.store.list({
        ...query,
        limit: piece,
        ...(next === null ? {} : { after: next }),
      });
      for (const row of page.items) {
        const { key, attributes, signals } = row;
        if (matchesFilter(filter, { key, attributes, signals })) items.push(row);
      }
      next = page.next;
      if (next === null) break;
    }
    return { items, next };
  }

  async #summary(row: ListedExecution): Promise<HostSummary> {
    try {
      return await this.#options.engine.view(Host, row, row.key, (host) => summarizeHost(host, row));
    } catch (error) {
      const unreadable = unreadableBy(error);
      if (unreadable === undefined) throw error;
      return {
        namespace: row.key.namespace,
        id: row.key.id,
        status: 'quarantined',
        attention: unreadable.reason,
        pending: row.signals.$pending ?? 0,
        reserved: 0,
        oldestAt: null,
        next: null,
        lastRunAt: null,
        lastOutcome: null,
        version: 0,
        deployedAt: row.createdAt,
      };
    }
  }

  async describe(name: HostName): Promise<HostDescription> {
    const row = await this.#row(name);
    const { engine, store } = this.#options;
    const run = await engine.view(Host, row, row.key, ({ state }) => state.work?.run ?? null);
    const { items } =
      run === null ? { items: [] } : await store.runs({ ids: [run], limit: 1, payloads: false });
    const waitsForNode = items[0]?.state === 'waiting';
    return await engine.view(Host, row, row.key, (host) => describeHost(host, row, { waitsForNode }));
  }

  async pause(name: HostName, caller: HostCaller): Promise<void> {
    await this.#change(name, 'pause', caller, (host) => pause(host, byOf(caller)));
  }

  async resume(name: HostName, caller: HostCaller): Promise<void> {
    await this.#change(name, 'resume', caller, (host) => resume(host, byOf(caller)));
  }

  /** Starts a producer or a consumer now. A consumer's request waits while the workflow is busy: then the run is null. */
  async trigger(
    name: HostName,
    handler: { readonly producer: string } | { readonly consumer: string },
    caller: HostCaller,
  ): Promise<{ readonly runId: string | null }> {
    return await this.#change(name, 'trigger', caller, (host) => ({
      runId:
        'producer' in handler
          ? triggerProducer(host, handler.producer)
          : triggerConsumer(host, handler.consumer),
    }));
  }

  /** Publishes from outside. `published` counts the new events: an id that is known already is none. */
  async publish(
    name: HostName,
    messages: readonly PublishedMessage[],
    caller: HostCaller,
  ): Promise<{ readonly published: number; readonly ids: readonly string[] }> {
    const problems: Problem[] = [];
    if (messages.length === 0 || messages.length > mostPublished)
      problems.push({
        path: 'messages',
        reason: 'BAD_COUNT',
        message: `${messages.length} messages`,
        fix: `1 to ${mostPublished}`,
      });
    const known = this.#known.get(nameText(name.namespace, name.id))?.workflow.topics;
    const read = await Promise.all(
      messages.slice(0, mostPublished).map(async ({ topic, id = this.#options.newId(), payload }, place) => {
        const message = await readMessage(known, { topic, id, payload });
        if (!('problem' in message)) return message;
        problems.push({
          path: `messages[${place}].${message.field}`,
          reason: 'BAD_MESSAGE',
          message: message.problem,
        });
        return undefined;
      }),
    );
    if (problems.length > 0) throw ServiceError.invalid(problems);
    const good = read.filter((message) => message !== undefined);
    const ids = good.map(({ id }) => id);
    const published = await this.#update(name, caller, (host) => publishOutside(host, good), {
      events: ({ incarnation }) => publishNeeds(incarnation, good),
    });
    return { published, ids };
  }

  /** Takes an event out of its line for good. A run that has reserved it, and has begun no change, is ended. */
  async skip(
    name: HostName,
    event: { readonly topic: string; readonly id: string },
    caller: HostCaller,
  ): Promise<{ readonly outcome: Skipped }> {
    const { engine } = this.#options;
    const by = byOf(caller);
    for (let tries = 1; ; tries += 1) {
      const row = await this.#row(name);
      const run = await engine.view(Host, row, row.key, ({ state }) => state.work?.run ?? null);
      const outcome = await engine.transact(
        run === null ? { kind: 'keys', keys: [row.key] } : { kind: 'runs', ids: [run] },
        (batch) => {
          const found = batch.rowOf(row.key);
          if (found === undefined) throw notFound(name);
          const host = batch.open(found).root as HostNode;
          // The run began or ended since it was read.
          if ((host.state.work?.run ?? null) !== run) return undefined;
          const result = skipEvent(host, event, by);
          audit(host, caller, 'skip', event);
          const [running] = batch.runs;
          if (running !== undefined && result === 'skipped' && host.state.work?.run !== running.id)
            saveRun(
              batch,
              terminate(
                running,
                { reason: `the event '${event.id}' was skipped`, askedBy: by.actor },
                batch.now,
              ),
            );
          return result;
        },
        {
          events: (rows) => rows.flatMap(({ incarnation }) => skipNeeds(incarnation, event.topic, event.id)),
        },
      );
      if (outcome !== undefined) return { outcome };
      if (tries >= 20)
        throw new ServiceError({
          code: 'aborted',
          reason: 'BUSY',
          message: `the workflow '${name.id}' changed each time; try again`,
        });
    }
  }

  /** Decides about a change whose outcome is not known. */
  async resolve(name: HostName, resolution: Resolution, caller: HostCaller): Promise<void> {
    if (!resolutions.includes(resolution.action)) {
      const message = `unknown action ${JSON.stringify(resolution.action)}`;
      throw ServiceError.invalid([
        { path: 'action', reason: 'BAD_ACTION', message, fix: resolutions.join(', ') },
      ]);
    }
    if (resolution.action === 'happened') {
      const read = jsonOf(resolution.result, 262_144);
      if ('problem' in read)
        throw ServiceError.invalid([
          { path: 'result', reason: 'BAD_RESULT', message: `the result ${read.problem}` },
        ]);
    }
    await this.#update(
      name,
      caller,
      (host) => {
        resolve(host, resolution, byOf(caller));
        audit(host, caller, `resolve: ${resolution.action}`);
      },
      {
        events: (row) => heldNeeds(row),
      },
    );
  }

  async delete(name: HostName, caller: HostCaller): Promise<void> {
    await this.#change(name, 'delete', caller, (host) => {
      if (host.state.work !== null && host.state.work.run !== null)
        throw new ServiceError({
          code: 'failedPrecondition',
          reason: 'BUSY',
          message: `a run of '${name.id}' is under way; pause it and wait`,
        });
      close(host);
    });
  }

  /** Takes a workflow out of quarantine. */
  async release(name: HostName): Promise<void> {
    await this.#options.engine.release(keyOf(name));
  }

  async events(name: HostName, query: HostEventQuery): Promise<Page<HostEventView>> {
    const { incarnation } = await this.#row(name);
    const { limit = 100, ...rest } = query;
    const page = await this.#options.store.events({
      owner: incarnation,
      limit: Math.min(limit, largestPage),
      ...rest,
    });
    return { items: page.items.map(viewEvent), next: page.next };
  }

  /** The runs of a workflow, newest first. */
  async runs(
    name: HostName,
    options: { readonly limit?: number; readonly after?: string } = {},
  ): Promise<Page<RunRow>> {
    const { incarnation } = await this.#row(name);
    const { limit = 100, after } = options;
    return await boundedRuns({ limit: Math.min(limit, largestPage), ...given({ after }) }, (paging) =>
      this.#options.store.runs({ owner: incarnation, ...paging }),
    );
  }

  /** All attempts of the work that a run belongs to, oldest first. */
  async attempts(name: HostName, runId: string): Promise<readonly RunRow[]> {
    const { incarnation } = await this.#row(name);
    const { store } = this.#options;
    const { items } = await store.runs({ ids: [runId], limit: 1 });
    const [run] = items;
    if (run === undefined || run.owner !== incarnation)
      throw new ServiceError({
        code: 'notFound',
        reason: 'NOT_FOUND',
        message: `the workflow '${name.id}' has no run '${runId}'`,
      });
    const chain = await store.runs({
      namespace: name.namespace,
      alias: run.alias ?? run.id,
      order: 'ascending',
      limit: largestPage,
    });
    return [...chain.items].sort((a, b) => (a.ordinal ?? 0) - (b.ordinal ?? 0));
  }

  /** The verdicts over a producer's due times, newest first. */
  async slots(
    name: HostName,
    producer: string,
    options: {
      readonly limit?: number;
      readonly after?: string;
      readonly from?: Instant;
      readonly to?: Instant;
    } = {},
  ): Promise<Page<SlotRow>> {
    const { incarnation } = await this.#row(name);
    const { limit = 100, ...rest } = options;
    return await this.#options.store.slots({
      incarnation,
      cause: causeOf(producer),
      order: 'descending',
      limit: Math.min(limit, largestPage),
      ...rest,
    });
  }

  /** Why a producer did or did not run at a time, why a consumer is as it is, or why an event was not taken. */
  async explain(
    name: HostName,
    about:
      | { readonly producer: string; readonly at: Instant }
      | { readonly consumer: string }
      | { readonly topic: string; readonly event: string },
  ): Promise<HostExplanation> {
    const row = await this.#row(name);
    const { engine, store } = this.#options;
    const view = <T>(look: (host: HostView) => T) => engine.view(Host, row, row.key, look);
    if ('producer' in about) {
      const { producer, at } = about;
      const { items } = await store.slots({
        incarnation: row.incarnation,
        cause: causeOf(producer),
        from: at,
        to: at,
        limit: 1,
      });
      const found = await view((host) => explainProducer(host, { name: producer, at, slot: items[0] }));
      if (found === undefined) throw notThere(name, 'producer', producer);
      return found;
    }
    if ('consumer' in about) {
      const found = await view((host) => explainConsumer(host, about.consumer));
      if (found === undefined) throw notThere(name, 'consumer', about.consumer);
      return found;
    }
    const { items } = await store.events({
      owner: row.incarnation,
      topic: about.topic,
      ids: [about.event],
      limit: 1,
    });
    const [event] = items;
    if (event === undefined) throw notThere(name, `event of the topic '${about.topic}'`, about.event);
    return await view((host) => explainEvent(host, event));
  }

  async #row(name: HostName): Promise<ListedExecution> {
    const [row] = await this.#options.store.read({ keys: [keyOf(name)] });
    if (row === undefined || row.status === 'closed') throw notFound(name);
    return row;
  }

  async #change<T>(
    name: HostName,
    action: string,
    caller: HostCaller,
    change: (host: HostNode) => T,
  ): Promise<T> {
    return await this.#update(name, caller, (host) => {
      const result = change(host);
      audit(host, caller, action);
      return result;
    });
  }

  async #update<T>(
    name: HostName,
    { requestId, note = '' }: HostCaller,
    change: (host: HostNode) => T,
    options: Pick<UpdateOptions, 'events'> = {},
  ): Promise<T> {
    checkName(name);
    if (note.length > longestNote)
      throw ServiceError.invalid([
        {
          path: 'note',
          reason: 'TOO_LONG',
          message: `the note has ${note.length} characters`,
          fix: `at most ${longestNote}`,
        },
      ]);
    const { engine } = this.#options;
    // The type of the change is checked where it is written; here it is any synchronous function.
    return (await engine.update(Host, keyOf(name), change as (host: HostNode) => never, {
      ...options,
      ...given({ requestId }),
    })) as T;
  }
}

/** The reserved events of the work under way; its row says which run holds them. */
function heldNeeds({ incarnation, state }: { readonly incarnation: string; readonly state: string }) {
  const document = JSON.parse(state) as { readonly c?: Readonly<Record<string, readonly unknown[]>> };
  const packed = document.c?.['']?.[0];
  const holder = packed === undefined ? null : Host.packing.unpack(packed).work?.holder;
  return holder == null ? [] : [{ owner: incarnation, holder }];
}

function byOf({ actor, note = '' }: HostCaller) {
  return { actor, note };
}

function audit(host: HostNode, { actor, door, note = '' }: HostCaller, action: string, after?: object): void {
  host.audit({
    namespace: host.key.namespace,
    target: `host/${host.key.id}`,
    actor,
    door,
    action,
    note,
    before: null,
    after: after === undefined ? null : JSON.stringify(after),
  });
}

export function viewEvent(event: EventRow): HostEventView {
  const { topic, id, sequence, state, holder, attempt, at, changedAt } = event;
  const { payload, by, skippedBy, note } = dataOf(event);
  return {
    topic,
    id,
    sequence,
    state,
    runId: holder,
    publishedBy: by ?? null,
    attempt,
    publishedAt: at,
    changedAt,
    payload,
    skippedBy: skippedBy ?? null,
    note: note ?? null,
  };
}

export function keyOf({ namespace, id }: HostName): ExecutionKey {
  return { namespace, archetype: hostArchetype, id };
}

function nameText(namespace: string, id: string): string {
  return `${namespace}\0${id}`;
}

function notFound({ namespace, id }: HostName): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no workflow '${id}' on a host in the namespace '${namespace}'`,
  });
}

function notThere({ id }: HostName, kind: string, name: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `the workflow '${id}' has no ${kind} '${name}'`,
  });
}
