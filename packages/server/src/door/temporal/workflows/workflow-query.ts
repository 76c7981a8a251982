/** Queries over workflows: the names they may use, and their filter. */
import type { AttributeTypes, Filter } from 'carillon/internal/service';
import { runKeys } from 'carillon/internal/service';
import { parseGoDuration } from 'carillon/internal/spec';
import { predefinedAttributes, systemAttributes } from '../search-attributes/system-attributes.ts';
import { bind } from '../visibility/bind.ts';
import type { Literal } from '../visibility/expression.ts';
import type { FieldTable, QueryField } from '../visibility/field.ts';
import { FieldRefusal, nameOperators } from '../visibility/field.ts';
import { parseQuery } from '../visibility/parse.ts';
import { queryError } from '../visibility/query-error.ts';
import { runIdOf } from './run-uuid.ts';
import { readStatus, runStatus, statusNames } from './status.ts';

export interface WorkflowQuery {
  /** Undefined matches all workflows. */
  readonly filter: Filter | undefined;
  /** Whether the query asks for counts by status. */
  readonly byStatus: boolean;
}

export function workflowQuery(query: string, types: AttributeTypes): WorkflowQuery {
  const { where, groupBy } = parseQuery(query);
  const [grouping, second] = groupBy;
  if (grouping !== undefined && (grouping.name !== 'ExecutionStatus' || second !== undefined)) {
    throw queryError("'GROUP BY' clause is only supported for ExecutionStatus", (second ?? grouping).at);
  }
  return {
    filter: where === null ? undefined : bind(where, workflowFields(types)),
    byStatus: grouping !== undefined,
  };
}

/** Fields whose name in the search differs from Temporal's. */
const special: ReadonlyMap<string, Partial<QueryField>> = new Map<string, Partial<QueryField>>([
  ['WorkflowId', { key: runKeys.workflow }],
  ['RootWorkflowId', { key: runKeys.workflow }],
  ['RunId', { key: runKeys.id, read: readRunId }],
  ['RootRunId', { key: runKeys.id, read: readRunId }],
  ['WorkflowType', { key: runKeys.name }],
  ['TaskQueue', { key: runKeys.queue }],
  ['StartTime', { key: runKeys.started }],
  ['ExecutionTime', { key: runKeys.started }],
  ['CloseTime', { key: runKeys.closed }],
  ['TemporalScheduledById', { key: runKeys.schedule }],
  ['TemporalScheduledStartTime', { key: runKeys.nominal }],
  ['ExecutionStatus', { key: runKeys.status, operators: nameOperators, read: readStatusLiteral }],
  ['ExecutionDuration', { key: runKeys.duration, read: readDurationLiteral }],
]);

function workflowFields(types: AttributeTypes): FieldTable {
  return (name) => {
    const type = systemAttributes.get(name) ?? predefinedAttributes.get(name) ?? types.get(name);
    return type === undefined ? undefined : { type, key: name, ...special.get(name) };
  };
}

function readRunId({ value }: Literal): string | undefined {
  return typeof value === 'string' ? runIdOf(value) : undefined;
}

function readStatusLiteral({ value }: Literal): string | FieldRefusal {
  const status = readStatus(value);
  return status === undefined
    ? new FieldRefusal(`write one of ${statusNames.join(', ')}`)
    : runStatus(status);
}

const clock = /^(\d+):([0-5]\d):([0-5]\d)$/;

const nanosPerMs = 1_000_000;

/** Returns milliseconds; the client writes nanoseconds, `1h30m` or `hh:mm:ss`. */
function readDurationLiteral({ value }: Literal): number | FieldRefusal | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) return value / nanosPerMs;
  if (typeof value !== 'string') return undefined;
  const [, hours, minutes, seconds] = clock.exec(value) ?? [];
  if (hours !== undefined) {
    return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  }
  const parsed = parseGoDuration(value);
  return parsed.ok
    ? Number(parsed.value) / nanosPerMs
    : new FieldRefusal("write a duration such as '90s' or '01:30:00'");
}
