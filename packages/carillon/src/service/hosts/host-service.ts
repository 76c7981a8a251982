/**
 * All changes of workflows on hosts; the queries are in `host-reads.ts`. Doors only translate to these calls; embedded callers
 * use them directly. Every change names its actor and its door, and its transaction also writes the audit log.
 */
import type { Clock } from '../../base/clock.ts';
import type { Problem } from '../../base/error.ts';
import { ServiceError } from '../../base/error.ts';
import { given } from '../../base/given.ts';
import { readRoot } from '../../engine/document.ts';
import type { UpdateOptions } from '../../engine/options.ts';
import { publishNeeds } from '../../host/event-lines.ts';
import type { HostNode } from '../../host/host.ts';
import { Host } from '../../host/host.ts';
import { hotStateOf } from '../../host/hot-state.ts';
import { longestChangeResult, longestNote, mostPublished } from '../../host/limits.ts';
import { jsonOf, readMessage } from '../../host/messages.ts';
import { Runner } from '../../host/runner.ts';
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
import { terminate } from '../../runs/lifecycle.ts';
import type { WorkerQueue } from '../../runs/offered-queues.ts';
import { saveRun } from '../../runs/run-ending.ts';
import { hashText } from '../../runs/run-id.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import type { EventRow } from '../../store/records.ts';
import { rehearse } from '../rehearse.ts';
import { checkName } from '../schedule-checks.ts';
import type { Caller } from '../schedule-service.ts';
import type { WorkEffects } from '../work-effects.ts';
import { deploy } from './deploying.ts';
import type { HostCaller } from './host-audit.ts';
import { audit } from './host-audit.ts';
import type { HostSubject } from './host-effects.ts';
import { hostEffectsOf } from './host-effects.ts';
import type { HostName, HostReadsOptions } from './host-reads.ts';
import { HostReads, keyOf, notFound } from './host-reads.ts';
import type { KnownWorkflow, ReloadedWorkflows } from './known-workflows.ts';
import { KnownWorkflows } from './known-workflows.ts';

export interface PublishedMessage {
  readonly topic: string;
  readonly id?: string;
  readonly payload: unknown;
}

export interface HostServiceOptions extends HostReadsOptions {
  readonly clock: Clock;
  readonly queue: RunQueue;
  readonly newId: () => string;
}

export class HostService extends HostReads<HostServiceOptions> {
  readonly #known = new KnownWorkflows();
  readonly #runner: Runner;

  constructor(options: HostServiceOptions) {
    super(options);
    this.#runner = new Runner({ engine: options.engine, queue: options.queue, clock: options.clock });
  }

  /** Adds workflows that this program can run; `deploy` stores them. */
  register(workflows: readonly KnownWorkflow[], concurrency?: number): void {
    this.#known.add(workflows, concurrency);
  }

  /** The queue of this program's workflows; none when it knows none. */
  queues(): Readonly<Record<string, WorkerQueue>> {
    return this.#known.queues(this.#runner);
  }

  /** Stores the workflows of this program when it starts. */
  async deploy(): Promise<void> {
    this.#known.start();
    await deploy(this.options, this.#known.all());
  }

  /** Calls `register`, which replaces the workflows that the previous call registered, and stores what it brought. */
  async reload<T>(register: () => Promise<T>): Promise<ReloadedWorkflows & { readonly result: T }> {
    const reloaded = await this.#known.reload(register);
    if (this.#known.isStarted && reloaded.workflows.length > 0) await this.deploy();
    return reloaded;
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
    const start = (host: HostNode) => ({
      runId:
        'producer' in handler
          ? triggerProducer(host, handler.producer)
          : triggerConsumer(host, handler.consumer),
    });
    return await this.#change(name, 'trigger', caller, start, handler);
  }

  /** Publishes from outside. `published` counts the new events, without messages whose id is known already. */
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
    const known = this.#known.get(name.namespace, name.id)?.topics;
    const read = await Promise.all(
      messages.slice(0, mostPublished).map(async ({ topic, id: own, payload }, place) => {
        const id = own ?? this.#messageId(caller, place);
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

  /**
   * The id of a message that has none. A repeated request names its messages as the first one did, so that they are published
   * once, and the answer names the events that are there.
   */
  #messageId({ requestId }: HostCaller, place: number): string {
    return requestId === undefined ? this.options.newId() : `${hashText(requestId)}-${place}`;
  }

  /** Takes an event out of its line for good. A run that has reserved it, and has begun no change, is ended. */
  async skip(
    name: HostName,
    event: { readonly topic: string; readonly id: string },
    caller: HostCaller,
  ): Promise<{ readonly outcome: Skipped }> {
    const { engine } = this.options;
    const by = byOf(caller);
    for (let tries = 1; ; tries += 1) {
      const row = await this.row(name);
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
          ...given({ rehearsed: caller.rehearsed }),
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
      const read = jsonOf(resolution.result, longestChangeResult);
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
  async release(name: HostName, caller: HostCaller): Promise<void> {
    // Any write of the workflow ends its quarantine.
    await this.#change(name, 'release', caller, () => {});
  }

  /** What a change would do: `change` is called with a caller under whose name nothing is written. */
  async effects(
    name: HostName,
    by: Caller,
    change: (by: Caller) => Promise<unknown>,
    subject: HostSubject = {},
  ): Promise<WorkEffects> {
    const { engine, clock } = this.options;
    const row = await this.row(name);
    const state = await engine.view(Host, row, row.key, hotStateOf);
    const events = await this.#storedEvents(row.incarnation, subject);
    const writes = await rehearse(by, change);
    return hostEffectsOf(writes, { now: clock.now(), incident: row.incident, state, events }, subject);
  }

  /** The stored events that a change is about. */
  async #storedEvents(owner: string, { publishes = [], skips }: HostSubject): Promise<readonly EventRow[]> {
    const byTopic = new Map<string, Set<string>>();
    for (const { topic, id } of skips === undefined ? publishes : [skips]) {
      const ids = byTopic.get(topic) ?? new Set();
      if (id !== undefined) byTopic.set(topic, ids.add(id));
    }
    const found: EventRow[] = [];
    for (const [topic, ids] of byTopic) {
      const query = { owner, topic, ids: [...ids], limit: ids.size };
      found.push(...(await this.options.store.events(query)).items);
    }
    return found;
  }

  async #change<T>(
    name: HostName,
    action: string,
    caller: HostCaller,
    change: (host: HostNode) => T,
    /** What the change was about, for the audit. */
    about?: object,
  ): Promise<T> {
    return await this.#update(name, caller, (host) => {
      const result = change(host);
      audit(host, caller, action, about);
      return result;
    });
  }

  async #update<T>(
    name: HostName,
    { requestId, note = '', rehearsed }: HostCaller,
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
    const { engine } = this.options;
    // The type of the change is checked where it is written; here it is any synchronous function.
    return (await engine.update(Host, keyOf(name), change as (host: HostNode) => never, {
      ...options,
      ...given({ requestId, rehearsed }),
    })) as T;
  }
}

/** The reserved events of the work under way; its row says which run holds them. */
function heldNeeds({ incarnation, state }: { readonly incarnation: string; readonly state: string }) {
  const holder = readRoot(Host, state)?.work?.holder ?? null;
  return holder === null ? [] : [{ owner: incarnation, holder }];
}

function byOf({ actor, note = '' }: HostCaller) {
  return { actor, note };
}
