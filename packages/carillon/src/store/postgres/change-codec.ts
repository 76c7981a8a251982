/** A change as the text of a notification, which must stay under 8000 bytes. */
import type { Instant } from '../../base/time.ts';
import type { CommittedChange } from '../store.ts';

const mostBytes = 7900;
/** More keys than this never fit into a notification. */
export const mostKeys = 250;

type Wire = readonly [
  sender: string,
  wakeAt: number | null,
  queues: readonly string[],
  cancelledRuns: readonly string[],
  keys: readonly (readonly [namespace: string, archetype: string, id: string])[],
];

/** Keys that do not fit are left out, the least needed first: a node that misses them finds the rows by polling. */
export function encodeChange(change: CommittedChange, sender: string): string {
  const shorter: readonly CommittedChange[] = [
    ...(change.keys.length > mostKeys ? [] : [change]),
    { ...change, keys: [] },
    { ...change, keys: [], cancelledRuns: [] },
  ];
  for (const each of shorter) {
    const text = textOf(each, sender);
    if (Buffer.byteLength(text) <= mostBytes) return text;
  }
  return textOf({ keys: [], wakeAt: change.wakeAt, queues: [], cancelledRuns: [] }, sender);
}

/** Null when the notification is this node's own, or not a notification of Carillon. */
export function decodeChange(text: string, ourselves: string): CommittedChange | null {
  let wire: unknown;
  try {
    wire = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(wire) || wire.length !== 5 || wire[0] === ourselves) return null;
  const [, wakeAt, queues, cancelledRuns, keys] = wire as unknown as Wire;
  return {
    keys: keys.map(([namespace, archetype, id]) => ({ namespace, archetype, id })),
    wakeAt: wakeAt as Instant | null,
    queues,
    cancelledRuns,
  };
}

function textOf({ keys, wakeAt, queues, cancelledRuns }: CommittedChange, sender: string): string {
  const names = keys.map(({ namespace, archetype, id }) => [namespace, archetype, id] as const);
  const wire: Wire = [sender, wakeAt, queues, cancelledRuns, names];
  return JSON.stringify(wire);
}

/** A published text as a notification: not JSON, so that it is not a change. */
export function encodeText(text: string, sender: string): string {
  return `!${sender}!${text}`;
}

/** Null when the notification is this node's own, or none of a published text. */
export function decodeText(payload: string, ourselves: string): string | null {
  const end = payload.indexOf('!', 1);
  if (!payload.startsWith('!') || end < 0 || payload.slice(1, end) === ourselves) return null;
  return payload.slice(end + 1);
}
