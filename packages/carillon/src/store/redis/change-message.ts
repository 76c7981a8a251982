/** What the commit script publishes: who committed, the change as JSON, and the keys of executions that went. */
import type { Instant } from '../../base/time.ts';
import type { ExecutionKey } from '../records.ts';
import type { Change } from '../store.ts';
import { unescapeText } from './text.ts';

/** Null when the change is our own, of which we know already, or the message is none of a store. */
export function changeOfMessage(message: string, origin: string): Change | null {
  const [from, text, ...removed] = message.split('\0');
  if (from === origin || text === undefined) return null;
  try {
    const change = JSON.parse(text) as {
      readonly keys: readonly string[];
      readonly wakeAt: Instant | null;
      readonly queues: readonly string[];
      readonly topics: readonly string[];
      readonly cancelledRuns: readonly string[];
    };
    return { ...change, keys: [...keysOf(removed.map(unescapeText)), ...keysOf(change.keys)] };
  } catch {
    return null;
  }
}

/** Namespace, archetype and id in turn. */
function keysOf(texts: readonly string[]): readonly ExecutionKey[] {
  const keys: ExecutionKey[] = [];
  for (let i = 0; i + 2 < texts.length; i += 3) {
    const [namespace, archetype, id] = texts.slice(i, i + 3) as [string, string, string];
    keys.push({ namespace, archetype, id });
  }
  return keys;
}
