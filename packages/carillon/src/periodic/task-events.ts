/**
 * Follows a Carillon's events and passes those of one owner's tasks on: to listeners, to the log lines and to the
 * mirror.
 */
import { enqueueFailure } from '../action/enqueue-failure.ts';
import { Listeners } from '../base/listeners.ts';
import type { Carillon } from '../embed/carillon.ts';
import type { CarillonEvent, ScheduleEvent } from '../service/event.ts';
import type { LiveTasks } from './live-tasks.ts';
import type { TaskLogLines } from './log-lines.ts';
import type { StateMirror } from './state-mirror.ts';
import type { RegisteredTask } from './task.ts';

export interface TaskEventsOptions {
  readonly carillon: Carillon;
  readonly live: LiveTasks;
  readonly lines: TaskLogLines;
  readonly mirror: StateMirror | undefined;
}

export class TaskEvents {
  readonly #options: TaskEventsOptions;
  readonly #listeners: Listeners<(event: ScheduleEvent) => void>;
  #unsubscribe: (() => void)[] = [];

  constructor(options: TaskEventsOptions) {
    this.#options = options;
    this.#listeners = new Listeners((error) => options.lines.trouble(error));
  }

  /** Returns an unsubscribe function. */
  subscribe(listener: (event: ScheduleEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  start(): void {
    const { carillon, live, lines } = this.#options;
    this.#unsubscribe = [
      carillon.subscribe((event) => this.#hear(event)),
      carillon.observe({
        trouble: (error, schedule) => lines.trouble(error, schedule?.id),
        concluded: (run, conclusion) => {
          const failure = enqueueFailure(run, conclusion);
          const task = failure === undefined ? undefined : live.get(failure.schedule);
          if (failure !== undefined && task !== undefined) lines.enqueueFailed(failure, task);
        },
      }),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
  }

  #hear(event: CarillonEvent): void {
    const { carillon, live } = this.#options;
    if (event.schedule === null || event.namespace !== carillon.namespace) return;
    const task = live.get(event.schedule);
    if (task !== undefined) this.#tell(event, task);
    else if (!live.isOther(event.schedule)) void this.#hearOfUnknown(event);
  }

  async #hearOfUnknown(event: ScheduleEvent): Promise<void> {
    const { live, lines } = this.#options;
    try {
      const task = await live.find(event.schedule);
      if (task !== undefined) this.#tell(event, task);
    } catch (error) {
      lines.trouble(error, event.schedule);
    }
  }

  #tell(event: ScheduleEvent, task: RegisteredTask): void {
    const { lines, mirror } = this.#options;
    lines.event(event, task);
    if (event.type === 'started') mirror?.started(event.schedule, event.runId);
    else if (event.type === 'finished') mirror?.finished(event.schedule, event.runId);
    else mirror?.touch([event.schedule]);
    this.#listeners.each((listener) => listener(event));
  }
}
