/** The tags of a schedule. */
import { ServiceError } from 'carillon/internal/base';
import type { DefinitionDraft, ScheduleDefinition } from 'carillon/internal/service';
import { aboutOf } from 'carillon/internal/service';
import { Reading } from '../../flow/read-fields.ts';
import { scheduleNotFound } from './errors.ts';
import type { Call, Operation } from './operation.ts';
import { refused } from './query-parameter.ts';
import type { Tag } from './tag.ts';
import { readTags, tagOf, withoutTags, withTags } from './tag.ts';

const path = '/schedules/{name}/tags';

export const tagOperations: readonly Operation[] = [
  {
    methods: ['GET'],
    path,
    role: 'viewer',
    handle: async ({ services, namespace, name }) => {
      const [outline] = await services.schedules.outlines(namespace, [name]);
      if (outline === undefined) throw scheduleNotFound(name);
      return outline.definition.tags.map(tagOf);
    },
  },
  { methods: ['PUT'], path, role: 'operator', changes: true, handle: (call) => change(call, withTags) },
  { methods: ['DELETE'], path, role: 'operator', changes: true, handle: (call) => change(call, withoutTags) },
];

async function change(
  call: Call,
  tagsAfter: (stored: readonly string[], tags: readonly Tag[]) => readonly string[],
): Promise<undefined> {
  const { services, namespace, name, caller } = call;
  const tags = read(call.body());
  const [open] = await services.schedules.named(namespace, [name]);
  if (open === undefined) throw scheduleNotFound(name);
  const draft = (before: ScheduleDefinition): DefinitionDraft => ({
    ...aboutOf(before),
    spec: before.spec,
    action: before.action,
    policy: before.policy,
    tags: tagsAfter(before.tags, tags),
  });
  await services.schedules.update({ namespace, id: name }, draft, caller);
}

function read(body: unknown): readonly Tag[] {
  if (!Array.isArray(body)) throw refused('', 'the body must be a list of tags, each with key and value');
  const reading = new Reading();
  const tags = readTags(body, reading);
  if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
  return tags;
}
