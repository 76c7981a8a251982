/** Which boxes of a workflow are joined: producers to topics, topics to consumers, consumers to what they pass on. Pure. */
import type { HostJson } from 'carillon/client';

export interface Wire {
  readonly from: string;
  readonly to: string;
  /** `busy`: a run uses it. `fail`: the run that used it has no known outcome, or failed for good. */
  readonly family: 'busy' | 'fail' | undefined;
}

export function wiresOf({ producers, consumers, topics, block, work }: HostJson): readonly Wire[] {
  const familyOf = (kind: 'producer' | 'consumer', name: string, state: string): Wire['family'] => {
    if (block !== null && work?.kind === kind && work.handler === name) return 'fail';
    return state === 'running' && work?.waitsForNode !== true ? 'busy' : undefined;
  };
  const known = new Set(topics.map(({ name }) => name));
  // A run that has chosen its events uses the topics of these only.
  const taken = topics.filter(({ reserved }) => reserved > 0).map(({ name }) => name);
  const isTakenFrom = (topic: string) => taken.length === 0 || taken.includes(topic);
  const feeding = producers.flatMap(({ name, publishes, state }) =>
    publishes.map((topic) => ({
      from: `producer ${name}`,
      to: `topic ${topic}`,
      family: familyOf('producer', name, state),
      topic,
    })),
  );
  const eating = consumers.flatMap(({ name, subscribe, state }) =>
    subscribe.map((topic) => ({
      from: `topic ${topic}`,
      to: `consumer ${name}`,
      family: isTakenFrom(topic) ? familyOf('consumer', name, state) : undefined,
      topic,
    })),
  );
  return [...feeding, ...eating]
    .filter(({ topic }) => known.has(topic))
    .map(({ from, to, family }) => ({ from, to, family }));
}

/** Leaves one box at its right side, bends in the middle of the gap, and reaches the other at its left. */
export function curveOf(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
