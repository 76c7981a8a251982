/**
 * Passes events on to the readers of live events. Facts come from this process as soon as they are durable; `changed` comes
 * from the store, so that readers also see changes by other nodes.
 */
import type { Clock } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import type { NodeEvents, ScheduleName } from 'carillon/internal/service';
import type { Filter, Sink, Subscription } from './event-broadcast.ts';
import { EventBroadcast } from './event-broadcast.ts';
import type { ChangedEvent, StreamedEvent } from './event-text.ts';
import { eventText, resetEvent } from './event-text.ts';

/** Changes of one schedule within this time are sent as one event. */
const gatherMs = 100;

/** The most schedules that are sent at once; with more, readers get a reset instead. */
const mostGathered = 1000;

/** The source of events. */
export type EventSource = Pick<NodeEvents, 'subscribe' | 'changes'>;

export class EventHub {
  readonly #clock: Clock;
  readonly #broadcast: EventBroadcast<StreamedEvent>;
  readonly #release: readonly (() => void)[];
  #changed = new Map<string, ChangedEvent>();
  /** Schedules whose events were sent since the last flush. */
  #sent = new Set<string>();
  #cancelGathering: (() => void) | undefined;

  constructor({ events, clock, boot }: { events: EventSource; clock: Clock; boot: string }) {
    this.#clock = clock;
    this.#broadcast = new EventBroadcast({
      clock,
      boot,
      encode: (id, event) => eventText(id, event === 'reset' ? resetEvent : event),
    });
    this.#release = [
      events.subscribe((event) => {
        if (event.schedule !== null && this.size > 0) this.#sent.add(keyOf(event.namespace, event.schedule));
        this.#broadcast.publish(event);
      }),
      events.changes((schedules) => this.#change(schedules)),
    ];
  }

  /** Number of connected readers. */
  get size(): number {
    return this.#broadcast.readers;
  }

  open(filter: Filter, lastId: string | undefined, sink: Sink): Subscription {
    return this.#broadcast.open(filter, lastId, sink);
  }

  close(): void {
    for (const release of this.#release) release();
    this.#cancelGathering?.();
    this.#broadcast.close();
  }

  #change(schedules: readonly ScheduleName[]): void {
    if (this.size === 0) return;
    for (const { namespace, id } of schedules) {
      this.#changed.set(keyOf(namespace, id), { type: 'changed', namespace, schedule: id, told: false });
    }
    if (this.#cancelGathering !== undefined) return;
    this.#cancelGathering = this.#clock.wakeAt(addTime(this.#clock.now(), gatherMs), () => this.#flush());
  }

  #flush(): void {
    this.#cancelGathering = undefined;
    const changed = this.#changed;
    const sent = this.#sent;
    this.#changed = new Map();
    this.#sent = new Set();
    if (changed.size > mostGathered) this.#broadcast.publish(resetEvent);
    else for (const [key, event] of changed) this.#broadcast.publish({ ...event, told: sent.has(key) });
  }
}

function keyOf(namespace: string, id: string): string {
  return `${namespace}\0${id}`;
}
