/**
 * Reads the event stream of one namespace. It is read with fetch, because an EventSource cannot send a key. After a
 * break it goes on from the last event; a server that no longer has it answers with `reset`.
 */
import { serverUrl } from '../data/address.ts';
import { readKey } from '../data/key.ts';
import type { StreamedEvent } from './sse.ts';
import { splitEvents } from './sse.ts';

export interface StreamListener {
  readonly events: (events: readonly StreamedEvent[]) => void;
  readonly opened: () => void;
  /** The stream broke; it is tried again after this many ms. */
  readonly broke: (retryMs: number) => void;
  /** The server does not let this key read; it is not tried again. */
  readonly refused: () => void;
}

const firstPause = 500;
const longestPause = 15_000;

/**
 * The server sends something at least every 15 s. A connection that is silent for longer is lost; no other sign would
 * show that.
 */
const silenceMs = 40_000;

/** Reads until the signal is aborted. `hurry` is asked for a promise that ends a pause early. */
export async function readStream(
  namespace: string,
  listener: StreamListener,
  signal: AbortSignal,
  hurry: () => Promise<void>,
): Promise<void> {
  let lastId = '';
  for (let failures = 0; !signal.aborted; ) {
    try {
      const key = readKey();
      const response = await fetch(`${serverUrl}/api/v1/namespaces/${encodeURIComponent(namespace)}/events`, {
        signal,
        cache: 'no-store',
        headers: {
          accept: 'text/event-stream',
          ...(lastId === '' ? {} : { 'last-event-id': lastId }),
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
      });
      if (response.status === 401 || response.status === 403) {
        listener.refused();
        return;
      }
      if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`);
      failures = 0;
      listener.opened();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ''; ; ) {
        const silence = setTimeout(() => void reader.cancel(), silenceMs);
        const { done, value } = await reader.read().finally(() => clearTimeout(silence));
        if (done) break;
        const split = splitEvents(rest + value);
        rest = split.rest;
        if (split.events.length === 0) continue;
        lastId = split.events.at(-1)?.id ?? lastId;
        listener.events(split.events);
      }
    } catch {
      if (signal.aborted) return;
    }
    failures += 1;
    const retryMs = Math.min(firstPause * 2 ** (failures - 1), longestPause);
    listener.broke(retryMs);
    await Promise.race([pause(retryMs, signal), hurry()]);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
