/**
 * The query of an execution search. Clauses are joined by AND, and three dialects are understood: that of the open server
 * (`state IN (FAILED)`, `scheduledTime>1`), that of the hosted one (`status IN (FAILED)`, `startTime>1`, `workflowType`), and
 * `field:value`. A clause without an operator is the name of a schedule.
 */

import { jsonText } from '../../flow/json-text.ts';
import type { FoundRecord } from './execution-record.ts';
import { refused } from './query-parameter.ts';

export interface ExecutionQuery {
  /** The schedules that the query names; undefined means all. */
  readonly schedules: readonly string[] | undefined;
  matches(record: FoundRecord): boolean;
}

type Field = 'scheduleName' | 'state' | 'scheduledTime' | 'executionTime' | 'workflowName' | 'executionId';

const fields: ReadonlyMap<string, Field> = new Map([
  ['scheduleName', 'scheduleName'],
  ['name', 'scheduleName'],
  ['state', 'state'],
  ['status', 'state'],
  ['scheduledTime', 'scheduledTime'],
  ['executionTime', 'executionTime'],
  ['startTime', 'executionTime'],
  ['workflowName', 'workflowName'],
  ['workflowType', 'workflowName'],
  ['executionId', 'executionId'],
  ['workflowId', 'executionId'],
]);

export function fieldOf(word: string): Field | undefined {
  return fields.get(word);
}

type Test = (record: FoundRecord) => boolean;

export function readExecutionQuery(text: string | undefined): ExecutionQuery {
  const query = (text ?? '').trim();
  const clauses = query === '' || query === '*' ? [] : query.split(/\sAND\s/);
  const names: string[] = [];
  const tests: Test[] = [];
  for (const clause of clauses) readClause(clause.trim(), names, tests);
  return {
    schedules: names.length === 0 ? undefined : names,
    matches: (record) => tests.every((test) => test(record)),
  };
}

const listed = /^(\w+)\s+IN\s*\((.*)\)$/is;
const compared = /^(\w+)\s*(>=|<=|>|<|=|:)\s*(.*)$/s;

function readClause(clause: string, names: string[], tests: Test[]): void {
  const list = listed.exec(clause);
  if (list !== null) {
    const [, word = '', inner = ''] = list;
    const values = inner
      .split(',')
      .map(unquoted)
      .filter((value) => value !== '');
    if (values.length === 0) return;
    const field = fieldOf(word) ?? unknown(word);
    if (field === 'scheduleName') names.push(...values);
    else tests.push((record) => values.some((value) => isEqual(record, field, value)));
    return;
  }
  const [, word = '', operator = '', rest = ''] = compared.exec(clause) ?? [];
  const field = fieldOf(word);
  if (operator === '' || (field === undefined && operator === ':')) {
    names.push(unquoted(clause));
    return;
  }
  const value = unquoted(rest);
  tests.push(comparison(field ?? unknown(word), operator, value, names));
}

function comparison(field: Field, operator: string, value: string, names: string[]): Test {
  if (field === 'scheduledTime' || field === 'executionTime') {
    if (!/^-?\d+$/.test(value))
      throw refused('query', `${field} is compared with milliseconds, not with '${value}'`);
    return timeTest(field, operator, Number(value));
  }
  if (operator !== '=' && operator !== ':')
    throw refused('query', `${field} cannot be compared with ${operator}`);
  if (field === 'scheduleName') {
    names.push(value);
    return () => true;
  }
  if (field === 'workflowName') {
    const part = value.toLowerCase();
    return (record) => record.workflowName.toLowerCase().includes(part);
  }
  return (record) => isEqual(record, field, value);
}

function timeTest(field: 'scheduledTime' | 'executionTime', operator: string, bound: number): Test {
  switch (operator) {
    case '>':
      return (record) => record[field] > bound;
    case '<':
      return (record) => record[field] < bound;
    case '>=':
      return (record) => record[field] >= bound;
    case '<=':
      return (record) => record[field] <= bound;
    default:
      return (record) => record[field] === bound;
  }
}

function isEqual(record: FoundRecord, field: Field, value: string): boolean {
  return field === 'state' ? record.state === value.toUpperCase() : jsonText(record[field]) === value;
}

function unknown(word: string): never {
  const known = [...fields.keys()].join(', ');
  throw refused('query', `there is no field '${word}' to search by; the fields are ${known}`);
}

function unquoted(text: string): string {
  const [, , inner] = /^(['"])(.*)\1$/s.exec(text.trim()) ?? [];
  return inner ?? text.trim();
}

/** The order for a comma list of `field:ASC` and `field:DESC`. Default: newest slots first. Equal records have a fixed order. */
export function recordOrder(sort: string | undefined): (a: FoundRecord, b: FoundRecord) => number {
  const keys = (sort ?? '').split(',').flatMap((each) => {
    const [word = '', direction = ''] = each.trim().split(':');
    if (word === '') return [];
    return [{ field: fieldOf(word) ?? ('scheduledTime' as const), sign: /^asc$/i.test(direction) ? 1 : -1 }];
  });
  const all = [
    ...keys,
    { field: 'scheduledTime' as const, sign: -1 },
    { field: 'scheduleName' as const, sign: 1 },
    { field: 'executionId' as const, sign: 1 },
  ];
  return (a, b) => {
    for (const { field, sign } of all) {
      if (a[field] < b[field]) return -sign;
      if (a[field] > b[field]) return sign;
    }
    return 0;
  };
}
