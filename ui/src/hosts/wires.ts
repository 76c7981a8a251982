/** Which boxes of a workflow are joined: producers to topics, topics to consumers, consumers to what they pass on. Pure. */
import type { HostJson } from 'carillon/client';

export interface Wire {
  readonly from: string;
  readonly to: string;
  /** A run is taking events along it. */
  readonly isActive: boolean;
}

export function wiresOf({ producers, consumers, topics }: HostJson): readonly Wire[] {
  const known = new Set(topics.map(({ name }) => name));
  const feeding = producers.flatMap(({ name, publishes, state }) =>
    publishes.map((topic) => ({
      from: `producer ${name}`,
      to: `topic ${topic}`,
      isActive: state === 'running',
      topic,
    })),
  );
  const eating = consumers.flatMap(({ name, subscribe, state }) =>
    subscribe.map((topic) => ({
      from: `topic ${topic}`,
      to: `consumer ${name}`,
      isActive: state === 'running',
      topic,
    })),
  );
  return [...feeding, ...eating]
    .filter(({ topic }) => known.has(topic))
    .map(({ from, to, isActive }) => ({ from, to, isActive }));
}

/** Leaves one box at its right side, bends in the middle of the gap, and reaches the other at its left. */
export function curveOf(
  from: { readonly x: number; readonly y: number },
  to: { readonly x: number; readonly y: number },
): string {
  const middle = (from.x + to.x) / 2;
  return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
