/**
 * What an embedded Carillon says without being asked: runs that fail, runs that no handler knows, errors of the store.
 * The first warning of a kind is given at once; those that follow within a minute are counted and given with the next
 * one, so that a handler that fails every second makes one line a minute.
 */
import type { Clock } from '../base/clock.ts';
import { failureOf } from '../base/failure.ts';
import { callListener } from '../base/listeners.ts';
import { nearNames } from '../base/near-names.ts';
import { addTime, minute } from '../base/time.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { UnattendedWork } from '../runtime/unattended.ts';
import type { CarillonEvent } from '../service/event.ts';
import type { NodeEvents } from '../service/events.ts';

export type WarningCode =
  | 'RUN_FAILED'
  | 'RESULT_CHANGED'
  | 'NO_HANDLER'
  | 'NO_WORKER'
  | 'PAUSED_ON_FAILURE'
  | 'TROUBLE'
  | 'QUARANTINED';

/** Something that a program should know without asking. */
export interface CarillonWarning {
  /** The kind of the warning; a process warning has it with `CARILLON_` before it. */
  readonly code: WarningCode;
  /** One sentence with the names that the reader knows. */
  readonly message: string;
}

export interface WarningsOptions {
  readonly clock: Clock;
  readonly warn: (warning: CarillonWarning) => void;
  /** Whether errors of the store become warnings too; false when the program has `onTrouble`. */
  readonly withTrouble: boolean;
  /** Receives what `warn` throws. */
  readonly failed: (error: unknown) => void;
  /** The names that this process has handlers for, by queue. */
  readonly names: (queue: string) => readonly string[];
}

/** The kinds of warnings that are remembered, so that random names cannot fill the memory. */
const mostKinds = 500;

export class Warnings {
  readonly #options: WarningsOptions;
  readonly #told = new Map<string, { since: number; suppressed: number }>();
  #isMuted = false;

  constructor(options: WarningsOptions) {
    this.#options = options;
  }

  listen(runtime: Runtime, events: NodeEvents): void {
    const { withTrouble } = this.#options;
    events.subscribe((event) => this.#event(event));
    runtime.observe({
      unknownName: (queue, name) => this.#unknownName(queue, name),
      changedResult: ({ name, queue }, note) =>
        this.#tell('RESULT_CHANGED', `${queue}\0${name}`, `'${name}' ended, but ${note}`),
      unattended: (work) => this.#unattended(work),
      ...(withTrouble
        ? {
            trouble: (error, key) => {
              const { message } = failureOf(error);
              if (key === undefined) this.#tell('TROUBLE', message, message);
              else this.#tell('QUARANTINED', key.id, `'${key.id}' was put into quarantine: ${message}`);
            },
          }
        : {}),
    });
  }

  /** Says nothing from now on: a server logs all of this itself. */
  mute(): void {
    this.#isMuted = true;
  }

  #event(event: CarillonEvent): void {
    if (event.type === 'pausedOnFailure') {
      const message = `the schedule '${event.schedule}' paused itself after ${event.failures} failures`;
      this.#tell('PAUSED_ON_FAILURE', event.schedule, message);
    }
    if (event.type !== 'finished' || (event.outcome !== 'failed' && event.outcome !== 'timedOut')) return;
    const of = event.schedule === null ? '' : ` of the schedule '${event.schedule}'`;
    const why = event.error ?? 'no reason was given';
    const message = `run ${event.runId}${of} ('${event.name}', attempt ${event.attempt}) ${event.outcome === 'failed' ? 'failed' : 'timed out'}: ${why}`;
    this.#tell('RUN_FAILED', `${event.schedule ?? ''}\0${event.name}`, message);
  }

  #unknownName(queue: string, name: string): void {
    const [near] = nearNames(name, this.#options.names(queue));
    const hint = near === undefined ? '' : `; did you mean '${near}'?`;
    const message = `a run waits on the queue '${queue}' and this process has no handler '${name}'${hint}`;
    this.#tell('NO_HANDLER', `${queue}\0${name}`, message);
  }

  #unattended({ queue, name, runs, near }: UnattendedWork): void {
    const hint = near === undefined ? '' : `; did you mean '${near}'?`;
    const wait = runs === 1 ? 'a run waits' : `${runs} runs wait`;
    const message = `${wait} on the queue '${queue}' for a worker that knows '${name}', and none is alive${hint}`;
    this.#tell('NO_WORKER', `${queue}\0${name}`, message);
  }

  #tell(code: WarningCode, about: string, message: string): void {
    if (this.#isMuted) return;
    const { clock, warn, failed } = this.#options;
    const key = `${code}\0${about}`;
    const now = clock.now();
    const last = this.#told.get(key);
    if (last !== undefined && now < addTime(last.since as typeof now, minute)) {
      last.suppressed += 1;
      return;
    }
    if (this.#told.size >= mostKinds) this.#told.clear();
    this.#told.set(key, { since: now, suppressed: 0 });
    const more =
      last === undefined || last.suppressed === 0 ? '' : ` (and ${last.suppressed} more like it before)`;
    // An error of a warning about errors would only cause the next one.
    const isOfTrouble = code === 'TROUBLE' || code === 'QUARANTINED';
    callListener(() => warn({ code, message: `${message}${more}` }), isOfTrouble ? () => {} : failed);
  }
}
