/** Lists and searches schedules. */
import type { Filter, NamedSchedule, Services } from 'carillon/internal/service';
import type { QueryParameters } from './query-parameter.ts';
import { flagOf, pagingOf, refused, textOf } from './query-parameter.ts';
import { scheduleAnswer } from './schedule-answer.ts';
import { tagOf } from './tag.ts';

export interface ListOptions {
  readonly services: Services;
  readonly namespace: string;
}

/** Every schedule, or those of one workflow. */
export async function listSchedules(
  query: QueryParameters,
  options: ListOptions,
): Promise<readonly object[]> {
  const workflow = textOf(query, 'workflowName')?.trim();
  const names = await namesOf(
    workflow === undefined || workflow === '' ? [] : [byWorkflow(workflow)],
    options,
  );
  return await answers(names, options);
}

export async function searchSchedules(query: QueryParameters, options: ListOptions): Promise<object> {
  const { start, size } = pagingOf(query);
  const workflow = textOf(query, 'workflowName');
  if (query.paused === '') throw refused('paused', 'is empty; write true or false, or leave it out');
  const paused = flagOf(query, 'paused');
  const part = (textOf(query, 'scheduleName') ?? textOf(query, 'name'))?.toLowerCase();
  const filters = [
    ...(workflow === undefined ? [] : [byWorkflow(workflow)]),
    ...(paused === undefined ? [] : [{ field: '$paused', is: '=', value: paused } as const]),
  ];
  const all = await namesOf(filters, options);
  const found = part === undefined ? [...all] : all.filter(({ id }) => id.toLowerCase().includes(part));
  if (/^name:desc\b/i.test(textOf(query, 'sort') ?? '')) found.reverse();
  return { totalHits: found.length, results: await answers(found.slice(start, start + size), options) };
}

/** Schedules with a tag, written as `key:value` or as a key alone. */
export async function schedulesByTag(tag: string, options: ListOptions): Promise<readonly object[]> {
  const wanted = tagOf(tag);
  const found: object[] = [];
  const names = await namesOf([{ field: '$tags', is: 'present' }], options);
  for (const outline of await outlinesOf(names, options)) {
    const tags = outline.definition.tags.map(tagOf);
    const isTagged = tags.some(
      ({ key, value }) => key === wanted.key && (!tag.includes(':') || value === wanted.value),
    );
    if (isTagged) found.push(scheduleAnswer(outline));
  }
  return found;
}

function byWorkflow(name: string): Filter {
  return { field: '$name', is: '=', value: name };
}

/** The names in order of their ids, so that pages are stable. */
async function namesOf(
  filters: readonly Filter[],
  { services, namespace }: ListOptions,
): Promise<readonly NamedSchedule[]> {
  const found: NamedSchedule[] = [];
  const filter = filters.length === 0 ? {} : { filter: { all: filters } };
  for (let after: string | null | undefined; after !== null; ) {
    const page = await services.schedules.names({
      namespace,
      ...filter,
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.items);
    after = page.next;
  }
  return found;
}

async function outlinesOf(names: readonly NamedSchedule[], { services, namespace }: ListOptions) {
  return await services.schedules.outlines(
    namespace,
    names.map(({ id }) => id),
  );
}

async function answers(names: readonly NamedSchedule[], options: ListOptions): Promise<readonly object[]> {
  return (await outlinesOf(names, options)).map(scheduleAnswer);
}
