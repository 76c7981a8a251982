/** The filters of a listing, as a condition the store understands. Ours begin with a dollar sign. */

import { addTime, type Instant } from 'carillon/internal/base';
import type { Filter } from 'carillon/internal/service';
import { lateAfter } from 'carillon/internal/service';
import { z } from 'zod';
import { flagText, includeField, pageFields, severalOf, timeText } from './fields.ts';

const word = z.string().min(1).max(1000);

export const listQuery = z.strictObject({
  state: z
    .enum(['running', 'paused', 'ended', 'quarantined', 'closed'])
    .optional()
    .meta({ description: 'as `status` says it; `closed` needs no includeClosed' }),
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
  include: includeField,
  ...pageFields,
});

export type ListFilters = z.output<typeof listQuery>;

const isGoing: Filter = { field: '$paused', is: '=', value: false };
const hasEnded: Filter = { field: '$ended', is: 'present' };

/** What the attributes can say of a state; the rest is said by `stateQuery`. */
const stateFilters: Readonly<Record<NonNullable<ListFilters['state']>, readonly Filter[]>> = {
  running: [isGoing, { not: hasEnded }],
  paused: [{ not: isGoing }],
  ended: [isGoing, hasEnded],
  quarantined: [],
  closed: [],
};

/** Quarantine comes before pause and end, as in `status`; closed before all. */
export function stateQuery({ state, includeClosed }: ListFilters): {
  readonly includeClosed?: boolean;
  readonly onlyClosed?: boolean;
  readonly quarantined?: boolean;
} {
  if (state === 'closed') return { onlyClosed: true };
  if (state !== undefined) return { quarantined: state === 'quarantined' };
  return includeClosed === undefined ? {} : { includeClosed };
}

export function filterOf(query: ListFilters, now: Instant): Filter | undefined {
  const all: Filter[] = [];
  const equal = (field: string, value: string | boolean) => all.push({ field, is: '=', value });
  const holds = (wanted: boolean, filter: Filter) => all.push(wanted ? filter : { not: filter });
  if (query.state !== undefined) all.push(...stateFilters[query.state]);
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
    holds(query.late, { all: [due, isGoing, { not: hasEnded }] });
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
