/** Events of this node and changes by any node, delivered to listeners after they are durable. */
import { Listeners } from '../base/listeners.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { scheduleArchetype } from '../scheduler/library.ts';
import type { CarillonEvent } from './event.ts';
import { eventOf } from './event.ts';
import type { ScheduleName } from './schedule-reads.ts';

export class NodeEvents {
  readonly #runtime: Runtime;
  readonly #listeners: Listeners<(event: CarillonEvent) => void>;
  #stopListening: (() => void) | undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#listeners = new Listeners((error) => runtime.report(error));
  }

  /** Calls the listener after each durable event that this process decided. Returns an unsubscribe function. */
  subscribe(listener: (event: CarillonEvent) => void): () => void {
    const unsubscribe = this.#listeners.add(listener);
    // Facts are converted to events only while there is a listener.
    this.#stopListening ??= this.#runtime.facts((key, fact) => {
      const event = eventOf(key, fact);
      if (event !== undefined) this.#listeners.each((each) => each(event));
    });
    return () => {
      unsubscribe();
      if (this.#listeners.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = undefined;
    };
  }

  /**
   * Calls the listener with schedules that any node has changed. Notifications may be lost. Returns an unsubscribe
   * function.
   */
  changes(listener: (schedules: readonly ScheduleName[]) => void): () => void {
    return this.#runtime.store.subscribe(({ keys }) => {
      const changed = keys.filter(({ archetype }) => archetype === scheduleArchetype);
      if (changed.length > 0) listener(changed);
    });
  }
}
