/** The message that the commit script publishes: the committing store, the change as JSON, and the keys of removed executions. */
import type { Instant } from '../../base/time.ts';
import type { ExecutionKey } from '../records.ts';
import type { CommittedChange } from '../store.ts';
import { unescapeText } from './text.ts';

/** Null when the change is this store's own, which it knows already, or the message is not from a store. */
export function decodeChange(message: string, origin: string): CommittedChange | null {
  const [from, text, ...removed] = message.split('\0');
  if (from === origin || text === undefined) return null;
  try {
    const change = JSON.parse(text) as {
      readonly keys: readonly string[];
      readonly wakeAt: Instant | null;
      readonly queues: readonly string[];
      readonly cancelledRuns: readonly string[];
    };
    return { ...change, keys: [...keysOf(removed.map(unescapeText)), ...keysOf(change.keys)] };
  } catch {
    return null;
  }
}

/** The keys as namespace, archetype and id in turn. */
function keysOf(texts: readonly string[]): readonly ExecutionKey[] {
  const keys: ExecutionKey[] = [];
  for (let i = 0; i + 2 < texts.length; i += 3) {
    const [namespace, archetype, id] = texts.slice(i, i + 3) as [string, string, string];
    keys.push({ namespace, archetype, id });
  }
  return keys;
}

/** A published text, which is not a change. */
export function encodeText(text: string, origin: string): string {
  return `${origin}\0!${text}`;
}

/** Null when the message is this store's own, or none of a published text. */
export function decodeText(message: string, origin: string): string | null {
  const end = message.indexOf('\0!');
  if (end < 0 || end !== message.indexOf('\0') || message.slice(0, end) === origin) return null;
  return message.slice(end + 2);
}
