/**
 * Carries out the runs of hosts: calls the handlers of a workflow phase by phase, with a durable checkpoint between them. It
 * decides nothing: every transition is in `phases.ts` and `settled.ts`, and a run that throws is settled there.
 */
import type { Clock } from '../base/clock.ts';
import type { Batch } from '../engine/batch.ts';
import type { Engine } from '../engine/engine.ts';
import { concluded } from '../runs/conclusion.ts';
import type { RunContext } from '../runs/context.ts';
import { finish as finishRun } from '../runs/lifecycle.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import type { EventNeed } from '../store/store.ts';
import type { Brief } from './brief.ts';
import { briefOf, Handover } from './brief.ts';
import { checkpoint } from './checkpoint.ts';
import type { ChangeOutcome, ChangeSteps, HandlerContext, Message } from './context.ts';
import type { NewMessage } from './event-lines.ts';
import { publishNeeds, takeNeeds } from './event-lines.ts';
import type { BegunChange, HostNode } from './host.ts';
import { Host } from './host.ts';
import { hostArchetype } from './library.ts';
import { mostPublished } from './limits.ts';
import { MakingChange } from './making-change.ts';
import { jsonOf, readMessage, readPrepared } from './messages.ts';
import { PhaseTimer } from './phase-timer.ts';
import type { CommittedWork, PreparedWork } from './phases.ts';
import { changeApplied, changeBegun, committed, prepared } from './phases.ts';
import { runName } from './proceed.ts';
import { reading } from './reading.ts';
import type { RunInput } from './run-input.ts';
import { logicFailure, RunFailure } from './run-input.ts';
import type { AnyConsumer, AnyProducer, Workflow } from './workflow.ts';

export interface RunnerOptions {
  readonly engine: Engine;
  readonly queue: RunQueue;
  /** Measures the limits of phases. */
  readonly clock: Clock;
}

type HostRun = RunContext<RunInput>;

export class Runner {
  readonly #options: RunnerOptions;
  readonly #handover = new Handover();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** The handler of the next run of this workflow, for a worker. */
  handlerOf(namespace: string, workflow: Workflow): (context: HostRun) => Promise<unknown> {
    const handed = this.#handover.take(runName(namespace, workflow.name));
    return async (context) => {
      const brief = handed?.work.run === context.id ? handed : await this.#read(context);
      // An earlier node gave the run back in the middle of it: what follows is decided as after a crash.
      if (brief.work.task === 'run' && brief.work.phase !== 'pending')
        throw new RunFailure('the run was interrupted and given back', { class: 'interrupted' });
      const { engine, queue, clock } = this.#options;
      const handover = this.#handover;
      await new RunUnderWay({ engine, queue, clock, handover, workflow, context, brief }).perform();
      return concluded;
    };
  }

  async #read(context: HostRun): Promise<Brief> {
    const key = { namespace: context.namespace, archetype: hostArchetype, id: context.input.workflow };
    const brief = await this.#options.engine.read(Host, key, (host) => briefOf(host, context.id));
    if (brief !== undefined) return brief;
    throw new RunFailure(`the workflow has gone on without the run ${context.id}`, { class: 'interrupted' });
  }
}

interface RunParts extends RunnerOptions {
  readonly handover: Handover;
  readonly workflow: Workflow;
  readonly context: HostRun;
  readonly brief: Brief;
}

class RunUnderWay {
  readonly #parts: RunParts;
  readonly #messages: { topic: string; id: string; payload: unknown }[] = [];
  #notes: readonly string[] = [];
  /** The run that has reserved the events of this work; null: none. */
  #holder: string | null;
  /** The first rule of the host that the handler broke. */
  #broken: RunFailure | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#holder = parts.brief.work.holder;
  }

  async perform(): Promise<void> {
    const { work } = this.#parts.brief;
    if (work.kind === 'producer') await this.#produce(this.#producer(work.handler));
    else {
      const consumer = this.#consumer(work.handler);
      if (work.task === 'run') await this.#consume(consumer);
      else if (work.task === 'reconcile') await this.#reconcile(consumer);
      else await this.#next(consumer, this.#knownOutcome());
    }
  }

  #producer(name: string): AnyProducer {
    const found = this.#parts.workflow.producers.get(name);
    if (found === undefined) throw this.#gone('producer', name);
    return found;
  }

  #consumer(name: string): AnyConsumer {
    const found = this.#parts.workflow.consumers.get(name);
    if (found === undefined) throw this.#gone('consumer', name);
    return found;
  }

  #gone(kind: string, name: string): RunFailure {
    return logicFailure(
      `this program knows no ${kind} '${name}' of the workflow '${this.#parts.workflow.name}'; deploy it again, or skip the event`,
    );
  }

  async #produce(producer: AnyProducer): Promise<void> {
    const { context, brief } = this.#parts;
    const { scheduledAt } = context;
    const { manual } = brief.work;
    const state = await this.#phase('handler', (base, isOver) => {
      const publish = this.#publishing(producer.publishes, isOver);
      return producer.handler({ ...base, scheduledAt, manual, publish }, this.#memory());
    });
    await this.#commit(state);
  }

  async #consume(consumer: AnyConsumer): Promise<void> {
    const returned = await this.#phase('prepare', (base, isOver) => {
      const offered = this.#reading(consumer.subscribe, isOver);
      return consumer.prepare({ ...base, ...offered }, this.#memory());
    });
    const read = readPrepared(returned);
    if ('problem' in read) throw logicFailure(read.problem);
    this.#notes = read.notes;
    const { work } = read;
    const isEmpty = work.reservations.length === 0;
    // No change and no later phase depends on this choice, so the last checkpoint records it.
    if (isEmpty || (consumer.mutate === undefined && consumer.next === undefined)) {
      await this.#next(consumer, none, JSON.parse(work.data ?? 'null') as unknown, work);
      return;
    }
    const { context } = this.#parts;
    await this.#checkpoint((host) => prepared(host, context.id, work), this.#reserving(work));
    this.#holder = context.id;
    const data = JSON.parse(work.data ?? 'null') as unknown;
    await this.#next(consumer, await this.#mutate(consumer, data, null), data);
  }

  /** Calls `mutate`; with a change that was begun earlier, only asks about it. */
  async #mutate(
    { mutate }: AnyConsumer,
    data: unknown,
    earlier: BegunChange | null,
  ): Promise<ChangeOutcome<unknown>> {
    if (mutate === undefined) return none;
    const { context, brief, clock } = this.#parts;
    const making = new MakingChange({
      earlier,
      key: context.id,
      clock,
      reconcileLimitMs: brief.settings.reconcileLimitMs,
      interrupted: context.signal,
      begun: (change) => this.#checkpoint((host) => changeBegun(host, context.id, change)),
      applied: (json) => this.#checkpoint((host) => changeApplied(host, context.id, json)),
    });
    try {
      await this.#phase('mutate', (base, isOver) => {
        const change = async (name: string, steps: ChangeSteps<unknown>) => {
          if (isOver()) throw logicFailure('a change was begun after mutate had ended');
          await making.change(name, steps, base.signal);
          return {};
        };
        return mutate({ ...base, change }, data);
      });
    } catch (error) {
      throw making.failure ?? error;
    }
    return making.outcome ?? none;
  }

  async #reconcile(consumer: AnyConsumer): Promise<void> {
    const data = this.#data();
    const outcome = await this.#mutate(consumer, data, this.#parts.brief.work.change);
    await this.#next(consumer, outcome, data);
  }

  #knownOutcome(): ChangeOutcome<unknown> {
    const { work, result } = this.#parts.brief;
    if (work.change?.outcome === 'skipped') return { status: 'skipped' };
    return { status: 'applied', result: JSON.parse(result ?? 'null') as unknown };
  }

  async #next(
    { next, publishes = [] }: AnyConsumer,
    outcome: ChangeOutcome<unknown>,
    data: unknown = this.#data(),
    reserving?: PreparedWork,
  ): Promise<void> {
    const state =
      next === undefined
        ? undefined
        : await this.#phase('next', (base, isOver) =>
            next({ ...base, publish: this.#publishing(publishes, isOver) }, data, outcome),
          );
    await this.#commit(state, reserving);
  }

  /** The last checkpoint: it ends the run. */
  async #commit(state: unknown, reserving?: PreparedWork): Promise<void> {
    const messages = await this.#readMessages();
    const memory = state === undefined ? undefined : this.#readState(state);
    const work: CommittedWork = { messages, memory };
    const { brief, context, workflow, handover } = this.#parts;
    const owner = brief.incarnation;
    const needs: readonly EventNeed[] = [
      ...publishNeeds(owner, messages),
      ...(reserving === undefined ? [] : this.#reserving(reserving)),
      ...(this.#holder === null ? [] : [{ owner, holder: this.#holder }]),
    ];
    const { id, namespace } = context;
    const name = runName(namespace, workflow.name);
    await this.#checkpoint((host, batch) => {
      if (reserving !== undefined) prepared(host, id, reserving);
      const summary = {
        ...committed(host, id, work),
        ...(this.#notes.length === 0 ? {} : { notes: this.#notes }),
      };
      const run = batch.runs.find((each) => each.id === id);
      if (run !== undefined) batch.saveRun(finishRun(run, 'completed', JSON.stringify(summary), batch.now));
      handover.note(name, host);
    }, needs);
  }

  #readState(state: unknown): string {
    const read = jsonOf(state, this.#parts.brief.settings.stateSize);
    if ('problem' in read) throw logicFailure(`the state ${read.problem}`);
    return read.json;
  }

  async #readMessages(): Promise<readonly NewMessage[]> {
    const messages: NewMessage[] = [];
    for (const raw of this.#messages) {
      const read = await readMessage(this.#parts.workflow.topics, raw);
      if ('problem' in read) throw logicFailure(read.problem);
      messages.push(read);
    }
    return messages;
  }

  #publishing(allowed: readonly string[], isOver: () => boolean) {
    const { context, brief } = this.#parts;
    return (topic: string, message: Message<unknown>): void => {
      if (isOver()) throw logicFailure('published after the handler had ended');
      if (!allowed.includes(topic))
        throw this.#breach(
          `published to '${topic}', which '${brief.work.handler}' does not declare in publishes`,
        );
      if (this.#messages.length >= mostPublished)
        throw this.#breach(`published more than ${mostPublished} messages in one run`);
      const { id = `${context.id}.${this.#messages.length + 1}`, payload } = message;
      this.#messages.push({ topic, id, payload });
    };
  }

  #reading(subscribed: readonly string[], isOver: () => boolean) {
    const { engine, brief } = this.#parts;
    const check = (topic: string) => {
      if (isOver()) throw logicFailure('events were read after prepare had ended');
      if (!subscribed.includes(topic))
        throw this.#breach(`read the topic '${topic}', which '${brief.work.handler}' does not subscribe to`);
    };
    return reading({ store: engine.store, brief, check, breach: (message) => this.#breach(message) });
  }

  /** A broken rule fails the run even if the handler catches the error. */
  #breach(message: string): RunFailure {
    this.#broken ??= logicFailure(message);
    return this.#broken;
  }

  #memory(): unknown {
    const { memory } = this.#parts.brief;
    return memory === null ? undefined : (JSON.parse(memory) as unknown);
  }

  #data(): unknown {
    return JSON.parse(this.#parts.brief.data ?? 'null') as unknown;
  }

  /** Calls a handler with its limit. What it does after its end is refused. */
  async #phase<T>(
    name: string,
    call: (base: HandlerContext, isOver: () => boolean) => T | Promise<T>,
  ): Promise<T> {
    const { clock, context, brief, workflow, engine } = this.#parts;
    const timer = new PhaseTimer(clock, brief.settings.phaseLimitMs, [context.signal]);
    const base: HandlerContext = {
      workflow: workflow.name,
      handler: brief.work.handler,
      runId: context.id,
      attempt: context.input.attempt,
      now: () => engine.clock.now(),
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

  #reserving({ reservations }: PreparedWork): readonly EventNeed[] {
    return takeNeeds(this.#parts.brief.incarnation, reservations);
  }

  async #checkpoint(
    decide: (host: HostNode, batch: Batch) => void,
    events: readonly EventNeed[] = [],
  ): Promise<void> {
    await checkpoint(this.#parts, this.#parts.context, decide, events);
  }
}

const none: ChangeOutcome<never> = { status: 'none' };
