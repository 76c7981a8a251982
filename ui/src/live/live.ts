/**
 * Live events of a namespace for all tabs of a browser: one tab holds a lock and reads the stream, the others hear it
 * from that tab. When it closes, the lock passes on. Events are handed out at most four times a second, in batches.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { pagePath } from '../data/address.ts';
import { serverNow } from '../time/now.ts';
import type { StreamedEvent } from './sse.ts';
import { readStream } from './stream.ts';

export type LiveState =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** The server does not let this key read the namespace. */
  | { readonly is: 'refused' }
  /** Since when, and when it is tried again. */
  | { readonly is: 'offline'; readonly since: number; readonly retryAt: number };

type Listener = (events: readonly StreamedEvent[]) => void;

type Told =
  | { readonly events: readonly StreamedEvent[] }
  | { readonly state: LiveState }
  | { readonly ask: true }
  | { readonly hurry: true };

const handOutMs = 250;

/** The events of one change come within this time. */
const gatherMs = 30;

/** A shorter interruption is not shown: */
const patienceMs = 5000;

/** Events that are kept for one batch; with more the listeners read again what they show. */
const mostKept = 2000;

const resetEvent: StreamedEvent = { id: '', type: 'reset', data: {} };

class Live {
  #namespace = '';
  #end: AbortController | undefined;
  #channel: BroadcastChannel | undefined;
  #state: LiveState = { is: 'connecting' };
  #batch: StreamedEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #handedOutAt = Number.NEGATIVE_INFINITY;
  #isReader = false;
  /** When the stream broke, and when it is tried again; undefined while it is open. */
  #broken: { readonly since: number; retryAt: number } | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #hurried: (() => void) | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();

  open(namespace: string): void {
    if (namespace === this.#namespace) return;
    this.close();
    this.#namespace = namespace;
    const end = new AbortController();
    this.#end = end;
    // Tabs of another server behind the same host, below another path, have a stream of their own.
    const name = `carillon.live.${pagePath}.${namespace}`;
    const channel = new BroadcastChannel(name);
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<Told>) => this.#hear(data);
    channel.postMessage({ ask: true } satisfies Told);
    const read = async () => {
      this.#isReader = true;
      await readStream(
        namespace,
        {
          events: (events) => this.#share(events),
          opened: () => this.#opened(),
          broke: (retryMs) => this.#broke(retryMs),
          refused: () => this.#refused(),
        },
        end.signal,
        () => new Promise((resolve) => (this.#hurried = resolve)),
      );
    };
    const { locks } = navigator;
    // Without locks (a page on plain HTTP from another machine) every tab reads for itself.
    if (locks === undefined) void read();
    else locks.request(name, { signal: end.signal }, read).catch(() => {});
  }

  close(): void {
    this.#end?.abort();
    this.#forgive();
    this.#channel?.close();
    this.#namespace = '';
    this.#isReader = false;
    this.#state = { is: 'connecting' };
  }

  /** Tries again now. */
  hurry(): void {
    if (this.#isReader) this.#hurried?.();
    else this.#channel?.postMessage({ hurry: true } satisfies Told);
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly state = (): LiveState => this.#state;

  #hear(told: Told): void {
    if ('events' in told) this.#collect(told.events);
    else if ('state' in told) this.#set(told.state);
    else if (!this.#isReader) return;
    else if ('hurry' in told) this.#hurried?.();
    else this.#channel?.postMessage({ state: this.#state } satisfies Told);
  }

  #share(events: readonly StreamedEvent[]): void {
    this.#collect(events);
    this.#channel?.postMessage({ events } satisfies Told);
  }

  #become(state: LiveState): void {
    this.#set(state);
    this.#channel?.postMessage({ state } satisfies Told);
  }

  #opened(): void {
    this.#forgive();
    this.#become({ is: 'live' });
  }

  #forgive(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.#broken = undefined;
  }

  #broke(retryMs: number): void {
    const now = serverNow();
    const broken = this.#broken ?? { since: now, retryAt: now };
    broken.retryAt = now + retryMs;
    this.#broken = broken;
    const tell = () => this.#become({ is: 'offline', since: broken.since, retryAt: broken.retryAt });
    if (this.#state.is === 'offline') tell();
    else this.#patience ??= setTimeout(tell, patienceMs);
  }

  /**
   * The data on the screen is read again: the answers say what the key may not do. The lock passes to a tab whose key
   * may read.
   */
  #refused(): void {
    this.#forgive();
    this.#isReader = false;
    this.#set({ is: 'refused' });
    this.#collect([resetEvent]);
  }

  #set(state: LiveState): void {
    // Events of the interruption are unknown, so the data on the screen is read again.
    const isBack = this.#state.is === 'offline' && state.is === 'live';
    this.#state = state;
    if (isBack) this.#collect([resetEvent]);
    for (const watcher of this.#watchers) watcher();
  }

  #collect(events: readonly StreamedEvent[]): void {
    if (this.#batch.length > mostKept) this.#batch = [resetEvent];
    else for (const event of events) this.#batch.push(event);
    // The first events after a pause are shown soon; further ones are gathered.
    const rest = this.#handedOutAt + handOutMs - performance.now();
    this.#timer ??= setTimeout(() => this.#handOut(), Math.max(gatherMs, rest));
  }

  #handOut(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#timer = undefined;
    this.#handedOutAt = performance.now();
    for (const listener of this.#listeners) listener(batch);
  }
}

export const live = new Live();

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.watch, live.state);
}

/** Calls back with batches of events while the component is shown. `listener` must be stable. */
export function useLive(listener: Listener): void {
  useEffect(() => live.listen(listener), [listener]);
}
