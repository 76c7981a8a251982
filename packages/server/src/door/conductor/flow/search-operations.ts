/** Searches of workflows and tasks: `query` with clauses joined by AND, `freeText`, `sort`, `start` and `size`. */
import { ServiceError } from 'carillon/internal/base';
import type { Filter } from 'carillon/internal/service';
import { flowStatuses } from '../../../flow/flow.ts';
import type { QueryParameters } from '../query-parameter.ts';
import { pagingOf, refused, textOf } from '../query-parameter.ts';
import { flowJson, flowSummaryJson, taskSummaryJson, taskTypeOf } from './flow-json.ts';
import type { FlowCall, FlowOperation } from './operation.ts';
import { json } from './operation.ts';

export const searchOperations: readonly FlowOperation[] = [
  ...[
    '/workflow/search',
    '/workflow/search-v2',
    '/workflow/search-by-tasks',
    '/workflow/search-by-tasks-v2',
  ].map(
    (path): FlowOperation => ({
      method: 'GET',
      path,
      role: 'viewer',
      handle: (call) => searchFlows(call, path.endsWith('-v2')),
    }),
  ),
  ...['/tasks/search', '/tasks/search-v2'].map(
    (path): FlowOperation => ({ method: 'GET', path, role: 'viewer', handle: searchTasks }),
  ),
];

async function searchFlows({ flows, namespace, query }: FlowCall, isWhole: boolean) {
  const { start, size } = pagingOf(query);
  const filter = filterOf(query);
  const order = /ASC$/i.test(textOf(query, 'sort') ?? '') ? 'ascending' : 'descending';
  const found = await flows.reads.search(namespace, {
    start,
    size,
    order,
    ...(filter === undefined ? {} : { filter }),
  });
  const results = found.flows.map((flow) =>
    isWhole ? flowJson({ flow, runs: new Map() }) : flowSummaryJson(flow),
  );
  return json({ totalHits: found.total, results });
}

/** Workflows whose tasks are searched. */
const mostFlows = 1000;

async function searchTasks({ flows, namespace, query }: FlowCall) {
  const { start, size } = pagingOf(query);
  const filter = filterOf(query);
  const wanted = clausesOf(query).filter(({ field }) => taskFields.has(field));
  const isAscending = !/DESC$/i.test(textOf(query, 'sort') ?? '');
  const found = await flows.reads.search(namespace, {
    start: 0,
    size: mostFlows,
    order: 'ascending',
    ...(filter === undefined ? {} : { filter }),
  });
  const tasks = found.flows.flatMap((flow) =>
    flow.tasks
      .filter((task) =>
        wanted.every(({ field, values }) => values.includes(taskFields.get(field)?.(task) ?? '')),
      )
      .map((task) => ({ flow, task })),
  );
  if (!isAscending) tasks.reverse();
  const results = tasks.slice(start, start + size).map(({ flow, task }) => taskSummaryJson(flow, task));
  return json({ totalHits: tasks.length, results });
}

interface Clause {
  readonly field: string;
  readonly operator: string;
  readonly values: readonly string[];
}

type FoundTask = Parameters<typeof taskTypeOf>[0];
const taskFields: ReadonlyMap<string, (task: FoundTask) => string> = new Map([
  ['taskType', taskTypeOf],
  ['taskDefName', (task: FoundTask) => task.name],
  ['taskId', (task: FoundTask) => task.id],
  ['referenceTaskName', (task: FoundTask) => task.reference],
]);

function clausesOf(query: QueryParameters): readonly Clause[] {
  return (textOf(query, 'query') ?? '').split(/\s+AND\s+/).flatMap((text) => {
    const list = /^\s*(\w+)\s+IN\s*\((.*)\)\s*$/i.exec(text);
    if (list !== null)
      return [
        { field: list[1] as string, operator: '=', values: (list[2] as string).split(',').map(unquoted) },
      ];
    const one = /^\s*(\w+)\s*(<=|>=|=|<|>|:)\s*(.*?)\s*$/.exec(text);
    if (one === null) {
      if (text.trim() === '' || text.trim() === '*') return [];
      const message = `Incorrectly formatted query string: ${textOf(query, 'query')}`;
      throw new ServiceError({ code: 'invalidArgument', reason: 'BAD_QUERY', message });
    }
    return [{ field: one[1] as string, operator: one[2] as string, values: [unquoted(one[3] as string)] }];
  });
}

const fields: ReadonlyMap<string, string> = new Map([
  ['workflowType', '$name'],
  ['workflowName', '$name'],
  ['workflowId', 'id'],
  ['correlationId', '$correlationId'],
  ['version', '$version'],
  ['status', '$status'],
  ['startTime', '$startTime'],
  ['endTime', '$endTime'],
  ['updateTime', '$updateTime'],
  ['parentWorkflowId', '$parent'],
]);
const numbers: readonly string[] = ['$version', '$startTime', '$endTime', '$updateTime'];

/** A clause with an unknown field has no effect, as in the original. */
function filterOf(query: QueryParameters): Filter | undefined {
  const conditions: Filter[] = clausesOf(query).flatMap(({ field: word, operator, values }) => {
    const field = fields.get(word);
    return field === undefined ? [] : [conditionOf(field, operator, values)];
  });
  const free = textOf(query, 'freeText');
  if (free !== undefined && free !== '*')
    conditions.push({ field: '$text', is: 'contains', value: free.toLowerCase() });
  return conditions.length === 0 ? undefined : { all: conditions };
}

function conditionOf(field: string, operator: string, values: readonly string[]): Filter {
  if (field === '$status')
    return { field, is: 'in', values: values.map((word) => flowStatuses.indexOf(word as never)) };
  if (!numbers.includes(field)) return { field, is: 'in', values };
  const [wrong] = values.filter((value) => !/^-?\d+$/.test(value));
  if (wrong !== undefined) throw refused('query', `'${wrong}' is not a whole number`);
  if (operator === '=' || operator === ':') return { field, is: 'in', values: values.map(Number) };
  return { field, is: operator as '<' | '>' | '<=' | '>=', value: Number(values[0]) };
}

function unquoted(text: string): string {
  return text.trim().replace(/^(['"])(.*)\1$/s, '$2');
}
