/** Reads what a handler or a caller hands over: messages, reservations, states. Each mistake becomes a problem with its reason. */
import type { Instant } from '../base/time.ts';
import { instant, parseInstant } from '../base/time.ts';
import type { NewMessage } from './event-lines.ts';
import { longestData, longestMessageId, longestPayload, mostReserved } from './limits.ts';
import type { PreparedWork } from './phases.ts';
import type { Topics } from './topic.ts';
import { payloadProblems } from './topic.ts';

/** JSON of a value, or the reason why it cannot be stored. */
export function jsonOf(
  value: unknown,
  longest: number,
): { readonly json: string } | { readonly problem: string } {
  let json: string | undefined;
  try {
    json = JSON.stringify(value ?? null);
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (json === undefined) return { problem: 'is not JSON' };
  if (json.length > longest)
    return { problem: `has ${json.length} characters of JSON, at most ${longest} are stored` };
  return { json };
}

export interface RawMessage {
  readonly topic: string;
  readonly id: string;
  readonly payload: unknown;
}

/** The message as it is stored, or its problem. */
export async function readMessage(
  topics: Topics | undefined,
  { topic, id, payload }: RawMessage,
): Promise<NewMessage | { readonly problem: string; readonly field: 'id' | 'payload' }> {
  if (typeof id !== 'string' || id === '' || id.length > longestMessageId)
    return { field: 'id', problem: `the id of a message must have 1 to ${longestMessageId} characters` };
  const read = jsonOf(payload, longestPayload);
  if ('problem' in read) return { field: 'payload', problem: `the payload ${read.problem}` };
  const declared = topics?.[topic];
  const problems = declared === undefined ? [] : await payloadProblems(declared, payload);
  if (problems.length > 0)
    return {
      field: 'payload',
      problem: `the payload does not fit the topic '${topic}': ${problems.join('; ')}`,
    };
  return { topic, id, json: read.json };
}

/** What `prepare` returned; a problem is a failure of its logic. */
export function readPrepared(
  returned: unknown,
): { readonly work: PreparedWork; readonly notes: readonly string[] } | { readonly problem: string } {
  const given = (returned ?? {}) as {
    readonly reservations?: unknown;
    readonly data?: unknown;
    readonly wakeAt?: unknown;
  };
  if (!Array.isArray(given.reservations))
    return { problem: 'prepare must return { reservations: [{ topic, ids }], data }' };
  const byTopic = new Map<string, Set<string>>();
  for (const each of given.reservations as readonly unknown[]) {
    const { topic, ids } = (each ?? {}) as { readonly topic?: unknown; readonly ids?: unknown };
    if (typeof topic !== 'string' || !Array.isArray(ids) || ids.some((id) => typeof id !== 'string'))
      return { problem: 'each reservation must be { topic, ids }, with the ids of events' };
    const known = byTopic.get(topic) ?? new Set<string>();
    for (const id of ids as readonly string[]) known.add(id);
    byTopic.set(topic, known);
  }
  const reservations = [...byTopic].flatMap(([topic, ids]) =>
    ids.size === 0 ? [] : [{ topic, ids: [...ids] }],
  );
  const count = reservations.reduce((sum, { ids }) => sum + ids.length, 0);
  if (count > mostReserved)
    return { problem: `prepare reserved ${count} events, at most ${mostReserved} at once` };
  const data = jsonOf(given.data, longestData);
  if ('problem' in data) return { problem: `the data of prepare ${data.problem}` };
  const wakeAt = readWakeAt(given.wakeAt);
  const notes = wakeAt === undefined ? [`wakeAt was ignored: ${String(given.wakeAt)} is not a time`] : [];
  return { work: { reservations, data: data.json, wakeAt: wakeAt ?? null }, notes };
}

/** Null when there is none, undefined when it is not a time. */
function readWakeAt(given: unknown): Instant | null | undefined {
  if (given === undefined || given === null) return null;
  const ms =
    given instanceof Date ? given.getTime() : typeof given === 'string' ? parseInstant(given) : given;
  return typeof ms === 'number' && Number.isFinite(ms) ? instant(ms) : undefined;
}
