/** Queries over schedules: the names they may use, and their filter for the listing. */
import type { AttributeTypes, Filter } from 'carillon/internal/service';
import { isReserved } from '../search-attributes/system-attributes.ts';
import { bind } from './bind.ts';
import type { FieldTable, QueryField } from './field.ts';
import { FieldRefusal } from './field.ts';
import { parseQuery } from './parse.ts';
import { queryError } from './query-error.ts';

const id: QueryField = { type: 'Keyword', key: 'id' };

const builtIn: ReadonlyMap<string, QueryField> = new Map<string, QueryField>([
  ['ScheduleId', id],
  ['TemporalScheduleId', id],
  ['TemporalSchedulePaused', { type: 'Bool', key: '$paused' }],
  ['ScheduleNextActionTime', { type: 'Datetime', key: '$coming' }],
  ['ScheduleIdleCloseTime', { type: 'Datetime', key: '$closes' }],
  ['ScheduleRunningWorkflowCount', { type: 'Int', key: '$running' }],
  ['ScheduleBufferedStartsCount', { type: 'Int', key: '$buffered' }],
]);

/** The filter of a query over schedules; undefined matches all. `types` are the namespace's own attributes. */
export function visibilityFilter(query: string, types: AttributeTypes): Filter | undefined {
  const { where, groupBy } = parseQuery(query);
  const [grouping] = groupBy;
  if (grouping !== undefined) throw queryError('GROUP BY is not supported for schedules', grouping.at);
  return where === null ? undefined : bind(where, scheduleFields(types));
}

/** An attribute of the namespace takes precedence over a built-in one of the same name, as in Temporal. */
function scheduleFields(types: AttributeTypes): FieldTable {
  return (name) => {
    const type = types.get(name);
    if (type !== undefined) return { type, key: name };
    const field = builtIn.get(name);
    if (field !== undefined) return field;
    return isReserved(name)
      ? new FieldRefusal(`invalid query filter for schedules: cannot filter on "${name}"`)
      : undefined;
  };
}
