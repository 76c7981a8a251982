/** The filters of a listing, as a condition the store understands. Ours begin with a dollar sign. */
import { z } from 'zod';
import { addTime, type Instant } from '../../base/time.ts';
import { lateAfter } from '../../scheduler/definition.ts';
import type { Filter } from '../../store/store.ts';
import { flagText, pageFields, severalOf, timeText } from './fields.ts';

const word = z.string().min(1).max(1000);

export const listQuery = z.strictObject({
  state: z
    .enum(['running', 'paused'])
    .optional()
    .meta({ description: '`running`: not paused, also when nothing more is due' }),
  tag: severalOf(word).optional().meta({ description: 'all of them' }),
  owner: word.optional(),
  queue: word.optional(),
  name: word.optional().meta({ description: 'name of the handler' }),
  failing: flagText.optional().meta({ description: 'the last run failed' }),
  busy: flagText.optional().meta({ description: 'something runs or waits' }),
  late: flagText.optional().meta({ description: 'should have acted by now' }),
  text: word
    .optional()
    .meta({ description: 'part of id, handler, description, note or tags; case does not matter' }),
  prefix: word.optional().meta({ description: 'beginning of the id' }),
  nextFrom: timeText.optional(),
  nextTo: timeText.optional(),
  attribute: severalOf(z.string().regex(/^[^$=][^=]*=/, 'write name=value'))
    .optional()
    .meta({ description: 'custom attribute, as name=value' }),
  includeClosed: flagText.optional(),
  ...pageFields,
});

export type ListFilters = z.output<typeof listQuery>;

export function filterOf(query: ListFilters, now: Instant): Filter | undefined {
  const all: Filter[] = [];
  const equal = (field: string, value: string | boolean) => all.push({ field, is: '=', value });
  const holds = (wanted: boolean, filter: Filter) => all.push(wanted ? filter : { not: filter });
  if (query.state !== undefined) equal('$paused', query.state === 'paused');
  for (const tag of query.tag ?? []) equal('$tags', tag);
  if (query.owner !== undefined) equal('$owner', query.owner);
  if (query.queue !== undefined) equal('$queue', query.queue);
  if (query.name !== undefined) equal('$name', query.name);
  if (query.failing !== undefined) holds(query.failing, { field: '$failures', is: '>', value: 0 });
  if (query.busy !== undefined) {
    const any: Filter[] = ['$running', '$buffered'].map((field) => ({ field, is: '>', value: 0 }));
    holds(query.busy, { any });
  }
  if (query.late !== undefined) {
    const due: Filter = { field: '$next', is: '<', value: addTime(now, -lateAfter) };
    holds(query.late, { all: [due, { field: '$paused', is: '=', value: false }] });
  }
  if (query.text !== undefined) all.push({ field: '$text', is: 'contains', value: query.text.toLowerCase() });
  if (query.prefix !== undefined) all.push({ field: 'id', is: 'startsWith', value: query.prefix });
  if (query.nextFrom !== undefined) all.push({ field: '$next', is: '>=', value: query.nextFrom });
  if (query.nextTo !== undefined) all.push({ field: '$next', is: '<=', value: query.nextTo });
  for (const pair of query.attribute ?? []) all.push(attribute(pair));
  return all.length === 0 ? undefined : { all };
}

/** A query knows only text, so a number or a flag is looked for as both. */
function attribute(pair: string): Filter {
  const split = pair.indexOf('=');
  const field = pair.slice(0, split);
  const text = pair.slice(split + 1);
  const values: (string | number | boolean)[] = [text];
  if (text === 'true' || text === 'false') values.push(text === 'true');
  if (text !== '' && Number.isFinite(Number(text))) values.push(Number(text));
  return { field, is: 'in', values };
}
