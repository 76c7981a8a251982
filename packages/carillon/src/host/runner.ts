/**
 * Carries out the runs of hosts: calls the handlers of a workflow phase by phase, with a durable checkpoint between them. It
 * decides nothing: every transition is in `phases.ts` and `settled.ts`, and a run that throws is settled there.
 */
import { Backoff } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { isServiceError } from '../base/error.ts';
import { addTime } from '../base/time.ts';
import type { Batch } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import { concluded } from '../runs/conclusion.ts';
import type { RunContext } from '../runs/context.ts';
import { finish as finishRun } from '../runs/lifecycle.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { encodeCursor } from '../store/cursor.ts';
import { isUnavailable } from '../store/error.ts';
import type { EventRow, ExecutionRow } from '../store/records.ts';
import type { EventNeed } from '../store/store.ts';
import type { ChangeOutcome, ChangeSteps, HandlerContext, Message, TopicEvent } from './context.ts';
import type { NewMessage } from './event-lines.ts';
import { dataOf, publishNeeds, takeNeeds } from './event-lines.ts';
import type { BegunChange, HostNode, Work } from './host.ts';
import { Host, topicOf } from './host.ts';
import { hostArchetype } from './library.ts';
import { longestChangeResult, mostPublished } from './limits.ts';
import { jsonOf, readMessage, readPrepared } from './messages.ts';
import { PhaseTimer } from './phase-timer.ts';
import type { CommittedWork, PreparedWork } from './phases.ts';
import { changeApplied, changeBegun, committed, prepared } from './phases.ts';
import type { RunInput } from './run-input.ts';
import { isChangeRefused, logicFailure, RunFailure } from './run-input.ts';
import type { HostSettings } from './settings.ts';
import { mostPeeked } from './settings.ts';
import type { AnyConsumer, AnyProducer, Workflow } from './workflow.ts';

export interface RunnerOptions {
  readonly engine: Engine;
  readonly queue: RunQueue;
  /** Measures the limits of phases. */
  readonly clock: Clock;
}

/** What a run needs to know of its workflow before it begins. */
interface Brief {
  readonly incarnation: string;
  readonly work: Work;
  readonly settings: HostSettings;
  readonly memory: string | null;
  readonly data: string | null;
  readonly result: string | null;
  readonly pending: Readonly<Record<string, number>>;
}

export class Runner {
  readonly #options: RunnerOptions;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The handler of a run of this workflow, for a worker. */
  handlerOf(workflow: Workflow): (context: RunContext<RunInput>) => Promise<unknown> {
    return async (context) => {
      const brief = await this.#brief(context);
      // An earlier node gave the run back in the middle of it: what follows is decided as after a crash.
      if (brief.work.task === 'run' && brief.work.phase !== 'pending')
        throw new RunFailure('the run was interrupted and given back', { class: 'interrupted' });
      await new RunUnderWay(this.#options, { workflow, context, brief }).perform();
      return concluded;
    };
  }

  async #brief(context: RunContext<RunInput>): Promise<Brief> {
    const { engine } = this.#options;
    const key = { namespace: context.namespace, archetype: hostArchetype, id: context.input.workflow };
    return await engine.read(Host, key, (host): Brief => {
      const { work } = host.state;
      if (work === null || work.run !== context.id)
        throw new RunFailure(`the workflow has gone on without the run ${context.id}`, {
          class: 'interrupted',
        });
      const of = work.kind === 'producer' ? 'producers' : 'consumers';
      const memory = host.children(of).get(work.handler)?.child('memory').state.json ?? null;
      const { data, result } = host.child('data').state;
      const { settings } = host.child('deployment').state;
      const pending: Record<string, number> = {};
      for (const topic in host.state.topics) pending[topic] = topicOf(host.state, topic).pending;
      return { incarnation: host.incarnation, work, settings, memory, data, result, pending };
    });
  }
}

class RunUnderWay {
  readonly #options: RunnerOptions;
  readonly #workflow: Workflow;
  readonly #context: RunContext<RunInput>;
  readonly #brief: Brief;
  readonly #messages: { topic: string; id: string; payload: unknown }[] = [];
  #notes: readonly string[] = [];

  constructor(
    options: RunnerOptions,
    of: { readonly workflow: Workflow; readonly context: RunContext<RunInput>; readonly brief: Brief },
  ) {
    this.#options = options;
    this.#workflow = of.workflow;
    this.#context = of.context;
    this.#brief = of.brief;
  }

  async perform(): Promise<void> {
    const { work } = this.#brief;
    if (work.kind === 'producer') await this.#produce(this.#producer(work.handler));
    else {
      const consumer = this.#consumer(work.handler);
      if (work.task === 'run') await this.#consume(consumer);
      else if (work.task === 'reconcile') await this.#reconcile(consumer);
      else await this.#next(consumer, this.#knownOutcome());
    }
  }

  #producer(name: string): AnyProducer {
    const found = this.#workflow.producers.get(name);
    if (found === undefined) throw this.#gone('producer', name);
    return found;
  }

  #consumer(name: string): AnyConsumer {
    const found = this.#workflow.consumers.get(name);
    if (found === undefined) throw this.#gone('consumer', name);
    return found;
  }

  #gone(kind: string, name: string): RunFailure {
    return logicFailure(
      `this program knows no ${kind} '${name}' of the workflow '${this.#workflow.name}'; deploy it again, or skip the event`,
    );
  }

  async #produce(producer: AnyProducer): Promise<void> {
    const { scheduledAt } = this.#context;
    const { manual } = this.#brief.work;
    const state = await this.#phase('handler', (base, isOver) => {
      const publish = this.#publishing(producer.publishes, isOver);
      return producer.handler({ ...base, scheduledAt, manual, publish }, this.#memory());
    });
    await this.#commit(state);
  }

  async #consume(consumer: AnyConsumer): Promise<void> {
    const returned = await this.#phase('prepare', (base, isOver) => {
      const reading = this.#reading(consumer.subscribe, isOver);
      return consumer.prepare({ ...base, ...reading }, this.#memory());
    });
    const read = readPrepared(returned);
    if ('problem' in read) throw logicFailure(read.problem);
    this.#notes = read.notes;
    const { work } = read;
    const isEmpty = work.reservations.length === 0;
    if (consumer.mutate === undefined && consumer.next === undefined) {
      await this.#commit(undefined, work);
      return;
    }
    await this.#checkpoint((host) => prepared(host, this.#context.id, work), this.#reserving(work));
    const data = JSON.parse(work.data ?? 'null') as unknown;
    const outcome = isEmpty ? none : await this.#mutate(consumer, data, null);
    await this.#next(consumer, outcome, data);
  }

  /** Calls `mutate`; with a change that was begun earlier, only asks about it. */
  async #mutate(
    consumer: AnyConsumer,
    data: unknown,
    begun: BegunChange | null,
  ): Promise<ChangeOutcome<unknown>> {
    if (consumer.mutate === undefined) return none;
    const changing = new Changing(begun);
    const { mutate } = consumer;
    try {
      await this.#phase('mutate', (base, isOver) => {
        const change = async (name: string, steps: ChangeSteps<unknown>) => {
          if (isOver()) throw logicFailure('a change was begun after mutate had ended');
          await this.#change(changing, name, steps, base.signal);
          return {};
        };
        return mutate({ ...base, change }, data);
      });
    } catch (error) {
      // What the change said counts, not what became of it on its way through the handler.
      throw changing.failure ?? error;
    }
    if (changing.failure !== undefined) throw changing.failure;
    if (changing.isUnderWay)
      throw logicFailure('mutate ended without waiting for its change; return ctx.change(…)');
    if (begun !== null && changing.outcome === undefined)
      throw logicFailure('mutate did not come to its change again, so nothing can be asked about it');
    return changing.outcome ?? none;
  }

  async #change(
    changing: Changing,
    name: string,
    steps: ChangeSteps<unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    if (changing.isBegun)
      throw changing.fail(logicFailure('mutate may make one change, and this is its second'));
    if (typeof name !== 'string' || name === '' || name.length > 100 || typeof steps?.run !== 'function')
      throw changing.fail(logicFailure("write ctx.change('name', { run: async (key) => … })"));
    changing.isBegun = true;
    changing.isUnderWay = true;
    try {
      const result =
        changing.earlier === null
          ? await this.#make(name, steps, signal)
          : await this.#ask(changing.earlier, steps, signal);
      const read = jsonOf(result, longestChangeResult);
      // The change happened, whatever it returned: a result that cannot be stored is replaced, never the fact.
      const json = 'problem' in read ? JSON.stringify({ carillon: `the result ${read.problem}` }) : read.json;
      await this.#checkpoint((host) => changeApplied(host, this.#context.id, json));
      changing.outcome = { status: 'applied', result: JSON.parse(json) as unknown };
    } catch (error) {
      throw changing.fail(error);
    } finally {
      changing.isUnderWay = false;
    }
  }

  async #make(name: string, steps: ChangeSteps<unknown>, signal: AbortSignal): Promise<unknown> {
    const change = { name, key: this.#context.id, canReconcile: steps.reconcile !== undefined };
    await this.#checkpoint((host) => changeBegun(host, this.#context.id, change));
    try {
      return await untilAborted(steps.run(change.key, signal), signal);
    } catch (error) {
      if (isChangeRefused(error)) {
        const kind = error.transient ? 'transient' : 'logic';
        throw new RunFailure(error.message, { class: kind, notApplied: true }, error);
      }
      if (steps.reconcile === undefined || this.#context.signal.aborted)
        throw new RunFailure(
          `it is not known whether the change '${name}' happened: ${messageOf(error)}`,
          { class: 'transient' },
          error,
        );
      return await this.#ask(change, steps, undefined, error);
    }
  }

  /** Asks whether the change happened. A change that did not is an end of the run, not a reason to make it now. */
  async #ask(
    { name, key }: Pick<BegunChange, 'name' | 'key'>,
    { reconcile }: ChangeSteps<unknown>,
    signal: AbortSignal | undefined,
    cause?: unknown,
  ): Promise<unknown> {
    if (reconcile === undefined) throw logicFailure(`the change '${name}' has no reconcile`);
    const timer = new PhaseTimer(this.#options.clock, this.#brief.settings.reconcileLimitMs, [
      this.#context.signal,
      ...(signal === undefined ? [] : [signal]),
    ]);
    let found: unknown;
    try {
      found = await timer.race('reconcile', () => reconcile(key, timer.signal));
    } catch (error) {
      const why = cause === undefined ? messageOf(error) : `${messageOf(cause)}; asked: ${messageOf(error)}`;
      throw new RunFailure(
        `it is not known whether the change '${name}' happened: ${why}`,
        { class: 'unknown' },
        error,
      );
    } finally {
      timer.end();
    }
    if (found !== null && found !== undefined) return found;
    const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
    throw new RunFailure(
      `the change '${name}' did not happen${why}`,
      { class: 'refused', notApplied: true },
      cause,
    );
  }

  async #reconcile(consumer: AnyConsumer): Promise<void> {
    const data = this.#data();
    const outcome = await this.#mutate(consumer, data, this.#brief.work.change);
    await this.#next(consumer, outcome, data);
  }

  #knownOutcome(): ChangeOutcome<unknown> {
    if (this.#brief.work.change?.outcome === 'skipped') return { status: 'skipped' };
    return { status: 'applied', result: JSON.parse(this.#brief.result ?? 'null') as unknown };
  }

  async #next(
    consumer: AnyConsumer,
    outcome: ChangeOutcome<unknown>,
    data: unknown = this.#data(),
  ): Promise<void> {
    const { next } = consumer;
    const state =
      next === undefined
        ? undefined
        : await this.#phase('next', (base, isOver) => {
            const publish = this.#publishing(consumer.publishes ?? [], isOver);
            return next({ ...base, publish }, data, outcome);
          });
    await this.#commit(state);
  }

  /** The last checkpoint: it ends the run. */
  async #commit(state: unknown, reserving?: PreparedWork): Promise<void> {
    const messages = await this.#readMessages();
    const memory = state === undefined ? undefined : this.#readState(state);
    const work: CommittedWork = { messages, memory };
    const needs = (row: ExecutionRow): readonly EventNeed[] => [
      ...publishNeeds(row.incarnation, messages),
      ...(reserving === undefined ? [] : this.#reserving(reserving)(row)),
    ];
    const { id } = this.#context;
    await this.#checkpoint((host, batch) => {
      if (reserving !== undefined) prepared(host, id, reserving);
      const summary = {
        ...committed(host, id, work),
        ...(this.#notes.length === 0 ? {} : { notes: this.#notes }),
      };
      const run = batch.runs.find((each) => each.id === id);
      if (run !== undefined) batch.saveRun(finishRun(run, 'completed', JSON.stringify(summary), batch.now));
    }, needs);
  }

  #readState(state: unknown): string {
    const read = jsonOf(state, this.#brief.settings.stateSize);
    if ('problem' in read) throw logicFailure(`the state ${read.problem}`);
    return read.json;
  }

  async #readMessages(): Promise<readonly NewMessage[]> {
    const messages: NewMessage[] = [];
    for (const raw of this.#messages) {
      const read = await readMessage(this.#workflow.topics, raw);
      if ('problem' in read) throw logicFailure(read.problem);
      messages.push(read);
    }
    return messages;
  }

  #publishing(allowed: readonly string[], isOver: () => boolean) {
    return (topic: string, message: Message<unknown>): void => {
      if (isOver()) throw logicFailure('published after the handler had ended');
      if (!allowed.includes(topic))
        throw this.#breach(
          `published to '${topic}', which '${this.#brief.work.handler}' does not declare in publishes`,
        );
      if (this.#messages.length >= mostPublished)
        throw this.#breach(`published more than ${mostPublished} messages in one run`);
      const { id = `${this.#context.id}.${this.#messages.length + 1}`, payload } = message;
      this.#messages.push({ topic, id, payload });
    };
  }

  /** A broken rule fails the run even if the handler catches the error. */
  #broken: RunFailure | undefined;
  #breach(message: string): RunFailure {
    this.#broken ??= logicFailure(message);
    return this.#broken;
  }

  #reading(subscribed: readonly string[], isOver: () => boolean) {
    const { store } = this.#options.engine;
    const { incarnation: owner, settings, pending } = this.#brief;
    const check = (topic: string) => {
      if (isOver()) throw logicFailure('events were read after prepare had ended');
      if (!subscribed.includes(topic))
        throw this.#breach(
          `read the topic '${topic}', which '${this.#brief.work.handler}' does not subscribe to`,
        );
    };
    return {
      peek: async (topic: string, options: { readonly limit?: number; readonly after?: number } = {}) => {
        check(topic);
        const limit = Math.min(options.limit ?? settings.peek, mostPeeked);
        const { items } = await store.events({
          owner,
          topic,
          states: ['pending'],
          limit,
          ...cursorAfter(options.after),
        });
        return items.map(viewEvent);
      },
      get: async (topic: string, ids: readonly string[]) => {
        check(topic);
        if (ids.length > mostPeeked)
          throw this.#breach(`asked for ${ids.length} events at once, at most ${mostPeeked}`);
        const { items } = await store.events({ owner, topic, ids, limit: Math.max(1, ids.length) });
        return items.map(viewEvent);
      },
      pending: (topic: string) => {
        check(topic);
        return pending[topic] ?? 0;
      },
    };
  }

  #memory(): unknown {
    const { memory } = this.#brief;
    return memory === null ? undefined : (JSON.parse(memory) as unknown);
  }

  #data(): unknown {
    return JSON.parse(this.#brief.data ?? 'null') as unknown;
  }

  /** Calls a handler with its limit. What it does after its end is refused. */
  async #phase<T>(
    name: string,
    call: (base: HandlerContext, isOver: () => boolean) => T | Promise<T>,
  ): Promise<T> {
    const timer = new PhaseTimer(this.#options.clock, this.#brief.settings.phaseLimitMs, [
      this.#context.signal,
    ]);
    const { work } = this.#brief;
    const base: HandlerContext = {
      workflow: this.#workflow.name,
      handler: work.handler,
      runId: this.#context.id,
      attempt: this.#context.input.attempt,
      now: () => this.#options.engine.clock.now(),
      signal: timer.signal,
    };
    try {
      const result = await timer.race(name, () => call(base, () => timer.isOver));
      if (this.#broken !== undefined) throw this.#broken;
      return result;
    } catch (error) {
      throw this.#broken ?? error;
    } finally {
      timer.end();
    }
  }

  #reserving({ reservations }: PreparedWork): (row: ExecutionRow) => readonly EventNeed[] {
    return ({ incarnation }) => takeNeeds(incarnation, reservations);
  }

  /** Commits under the lease; an unanswered commit is made again until it is answered or the run is lost. */
  async #checkpoint(
    decide: (host: HostNode, batch: Batch) => void,
    events?: (row: ExecutionRow) => readonly EventNeed[],
  ): Promise<void> {
    const { queue, engine, clock } = this.#options;
    const { id, leaseToken: token, signal } = this.#context;
    const backoff = new Backoff({ firstMs: engine.tuning.backoff, longestMs: engine.tuning.longestBackoff });
    for (;;) {
      signal.throwIfAborted();
      try {
        await queue.commit(
          { id, token },
          (batch, owner) => decide(batch.open(owner).root as HostNode, batch),
          events === undefined ? {} : { events },
        );
        return;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        engine.observer.trouble(error);
        await new Promise<void>((resolve) => {
          clock.wakeAt(addTime(clock.now(), backoff.failed()), resolve);
        });
      }
    }
  }
}

/** The one change that a call of `mutate` may make. */
class Changing {
  /** The change that was begun by an earlier run and is asked about. */
  readonly earlier: BegunChange | null;
  isBegun = false;
  isUnderWay = false;
  outcome: ChangeOutcome<unknown> | undefined;
  failure: unknown;

  constructor(earlier: BegunChange | null) {
    this.earlier = earlier;
  }

  fail(error: unknown): unknown {
    this.failure ??= error;
    return this.failure;
  }
}

const none: ChangeOutcome<never> = { status: 'none' };

function viewEvent(event: EventRow): TopicEvent {
  const { id, at: publishedAt, sequence, attempt, state } = event;
  return { id, payload: dataOf(event).payload, publishedAt, sequence, attempt, state };
}

function cursorAfter(after: number | undefined): { readonly after?: string } {
  return after === undefined ? {} : { after: encodeCursor([after]) };
}

function messageOf(error: unknown): string {
  return isServiceError(error) || error instanceof Error ? error.message : String(error);
}

async function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw signal.reason;
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
