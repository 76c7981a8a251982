import type { SummaryJson } from 'carillon/client';
import type { SeenValues } from './completions.ts';

/** The tags, owners, handlers and queues of schedules. Pure. */
export function valuesOf(schedules: readonly Pick<SummaryJson, 'tags' | 'owner' | 'action'>[]): SeenValues {
  const values = {
    tag: new Set<string>(),
    owner: new Set<string>(),
    handler: new Set<string>(),
    queue: new Set<string>(),
  };
  for (const { tags, owner, action } of schedules) {
    for (const tag of tags) values.tag.add(tag);
    values.owner.add(owner);
    values.handler.add(action.name);
    values.queue.add(action.queue);
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, all]) => [name, [...all].filter((each) => each !== '').sort()]),
  );
}
