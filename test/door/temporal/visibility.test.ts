import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../packages/carillon/src/base/error.ts';
import type { AttributeType } from '../../../packages/carillon/src/service/attribute-type.ts';
import { matchesFilter } from '../../../packages/carillon/src/store/filter.ts';
import type {
  Expression,
  VisibilityQuery,
} from '../../../packages/server/src/door/temporal/visibility/expression.ts';
import { parseQuery } from '../../../packages/server/src/door/temporal/visibility/parse.ts';
import { visibilityFilter } from '../../../packages/server/src/door/temporal/visibility/schedule-query.ts';
import { workflowQuery } from '../../../packages/server/src/door/temporal/workflows/workflow-query.ts';
import { printQuery } from './print-query.ts';
import { expressions, holds, modelTypes, rows, storedRow } from './visibility-model.ts';

/** Positions aside, which differ between the original and its print. */
function withoutPlaces(query: VisibilityQuery): unknown {
  return JSON.parse(JSON.stringify(query, (key, value) => (key === 'at' ? undefined : value)));
}

function refusal(query: string, read: (query: string) => unknown = parseQuery): string {
  try {
    read(query);
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).code).toBe('invalidArgument');
    return (error as ServiceError).message;
  }
  throw new Error(`not refused: ${query}`);
}

const overSchedules = (query: string) => visibilityFilter(query, modelTypes);
const overWorkflows = (query: string) => workflowQuery(query, modelTypes).filter;

describe('the query language', () => {
  test('a printed query reads back as the same query', () => {
    fc.assert(
      fc.property(expressions, fc.boolean(), (where, grouped) => {
        const groupBy = grouped ? [{ name: 'ExecutionStatus', at: 0 }] : [];
        const query: VisibilityQuery = { where, groupBy };
        expect(withoutPlaces(parseQuery(printQuery(query)))).toEqual(withoutPlaces(query));
      }),
      { numRuns: 500 },
    );
  });

  test('a filter finds exactly what the query says, by a second opinion', () => {
    fc.assert(
      fc.property(expressions, fc.array(rows, { minLength: 1, maxLength: 8 }), (where, found) => {
        const text = printQuery({ where, groupBy: [] });
        const filter = overSchedules(text);
        for (const row of found) {
          const findable = { key: { id: 'x' }, attributes: storedRow(row), signals: {} };
          const answer = filter === undefined || matchesFilter(filter, findable);
          expect({ text, row, answer }).toEqual({ text, row, answer: holds(where, row) });
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('whatever is made of a query, the answer is a filter or an invalid argument', () => {
    const pieces = fc.constantFrom(
      ...[
        "'",
        '"',
        '`',
        '\\',
        '(',
        ')',
        ' AND ',
        ' or ',
        ' NOT ',
        ' IN ',
        ' BETWEEN ',
        ' IS NULL',
        '=',
        '<',
        '>',
        '!',
      ],
      ...[
        'STARTS_WITH',
        'Color',
        'Size',
        '1',
        '-',
        '.',
        'e9',
        'true',
        ',',
        ' ORDER BY ',
        ' GROUP BY ',
        '\0',
        '🔔',
        'NULL',
      ],
    );
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(3), pieces), { minLength: 1, maxLength: 4 });
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(expressions, edits, (where, changes) => {
        let text = printQuery({ where, groupBy: [] });
        for (const [place, length, piece] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + piece + text.slice(at + length);
        }
        for (const read of [overSchedules, overWorkflows]) {
          try {
            read(text);
            accepted += 1;
          } catch (error) {
            refused += 1;
            expect(error).toBeInstanceOf(ServiceError);
            expect((error as ServiceError).code).toBe('invalidArgument');
          }
        }
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(1000);
  });

  test('keywords may be in any case, and names in backticks or bare', () => {
    const expected = withoutPlaces(
      parseQuery("Color IN ('red') and not Size between 1 and 2 or Ready is not null"),
    );
    const other = parseQuery('`Color` in ("red") AND NOT `Size` BETWEEN 1 AND 2 OR Ready IS NOT NULL');
    expect(withoutPlaces(other)).toEqual(expected);
  });

  test('AND binds tighter than OR, and NOT tighter than both', () => {
    const { where } = parseQuery('NOT a = 1 AND b = 2 OR c = 3');
    const shape = (expression: Expression | null): unknown => {
      if (expression === null) return null;
      if ('parts' in expression) return { [expression.kind]: expression.parts.map(shape) };
      if (expression.kind === 'not') return { not: shape(expression.part) };
      return expression.field.name;
    };
    expect(shape(where)).toEqual({ or: [{ and: [{ not: 'a' }, 'b'] }, 'c'] });
  });

  test('texts know doubled quotes and backslashes', () => {
    const text = (query: string) => {
      const { where } = parseQuery(query);
      return where?.kind === 'compare' ? where.value.value : undefined;
    };
    expect(text("a = 'it''s'")).toBe("it's");
    expect(text("a = 'it\\'s\\n'")).toBe("it's\n");
    expect(text('a = "say ""hi"" \\\\"')).toBe('say "hi" \\');
  });

  test.each([
    ["Color = 'red", "invalid query: the quote ' is never closed; it opens at position 9"],
    ['Color = red', "invalid query: expected a value (text goes in quotes), found 'red' at position 9"],
    ['(Color = "a"', 'invalid query: a parenthesis is never closed; it opens at position 1'],
    ['Color LIKE "a%"', 'invalid query: LIKE is not supported: use STARTS_WITH at position 7'],
    ['Color = NULL', 'invalid query: compare with NULL by IS NULL or IS NOT NULL at position 9'],
    ['Color "a"', "invalid query: expected an operator after 'Color', found 'a' at position 7"],
    ['Color NOT "a"', "invalid query: expected an operator after 'Color', found 'NOT' at position 7"],
    ['Color', 'invalid query: expected an operator, found the end at position 6'],
    ['Color = "a" Size = 1', "invalid query: expected AND, OR or the end, found 'Size' at position 13"],
    ['Color = "a" ORDER BY Color', "operation is not supported: 'ORDER BY' clause"],
    ['Color = "a" LIMIT 3', 'LIMIT is not supported'],
    ['Size = 1x', "unexpected 'x' in a number at position 9"],
    ['Color = "a" ; drop', 'unexpected character ";" at position 13'],
    ['Size = 1e999', 'the number 1e999 is too large at position 8'],
  ])('%s is refused with the place and the reason', (query, message) => {
    expect(refusal(query)).toContain(message);
  });

  test.each([
    ['Colour = "a"', 'invalid search attribute: Colour at position 1'],
    [
      'Size = "big"',
      'invalid value for search attribute Size of type Int: "big" (write a number, without quotes) at position 8',
    ],
    ['Size = "1"', 'of type Int: "1" (write a number, without quotes)'],
    ['"Size" = 1', "expected the name of a field, found 'Size'"],
    ['Color = 5', 'of type Keyword: 5 (write it in quotes)'],
    ['Ready = "maybe"', '(write true or false, without quotes)'],
    ['Due > "yesterday"', 'write a time with its zone'],
    [
      'Story STARTS_WITH "a"',
      "operator STARTS_WITH is not supported for 'Story' of type Text: use =, !=, IS NULL",
    ],
    ['Labels > "a"', "operator > is not supported for 'Labels' of type KeywordList"],
    ['Labels STARTS_WITH "a"', "operator STARTS_WITH is not supported for 'Labels' of type KeywordList"],
    ['WorkflowId = "a"', 'invalid query filter for schedules: cannot filter on "WorkflowId"'],
    ['TemporalNamespaceDivision = "x"', 'cannot filter on "TemporalNamespaceDivision"'],
    ['GROUP BY Color', 'GROUP BY is not supported for schedules'],
  ])('over schedules, %s is refused', (query, message) => {
    expect(refusal(query, overSchedules)).toContain(message);
  });

  test('queries have a longest length, a deepest nesting and a largest number of conditions', () => {
    expect(refusal(`Color = "${'x'.repeat(20_000)}"`)).toContain('longer than 16384 characters');
    expect(refusal(`${'('.repeat(60)}a = 1${')'.repeat(60)}`)).toContain('nested more than 50 deep');
    expect(refusal(`${'NOT '.repeat(60)}a = 1`)).toContain('nested more than 50 deep');
    expect(refusal(Array.from({ length: 501 }, () => 'a = 1').join(' OR '))).toContain(
      'more than 500 conditions',
    );
    expect(parseQuery(Array.from({ length: 500 }, () => 'a = 1').join(' OR ')).where?.kind).toBe('or');
  });

  test('built-in names of schedules become what the store knows', () => {
    expect(overSchedules('')).toBeUndefined();
    expect(overSchedules("ScheduleId = 'a'")).toEqual({ field: 'id', is: '=', value: 'a' });
    expect(overSchedules("TemporalScheduleId STARTS_WITH 'a'")).toEqual({
      field: 'id',
      is: 'startsWith',
      value: 'a',
    });
    expect(overSchedules('TemporalSchedulePaused = true')).toEqual({
      field: '$paused',
      is: '=',
      value: true,
    });
    expect(overSchedules("ScheduleNextActionTime > '2026-01-01T00:00:00Z'")).toEqual({
      field: '$coming',
      is: '>',
      value: Date.UTC(2026, 0, 1),
    });
  });

  test('an attribute of the namespace goes before a built-in one of the same name', () => {
    const types = new Map<string, AttributeType>([['ScheduleId', 'Keyword']]);
    expect(visibilityFilter("ScheduleId = 'a'", types)).toEqual({ field: 'ScheduleId', is: '=', value: 'a' });
  });

  test('workflow statuses may be names, long names or numbers, and durations texts', () => {
    const status = { field: '$status', is: '=', value: 'timedOut' };
    expect(overWorkflows("ExecutionStatus = 'TimedOut'")).toEqual(status);
    expect(overWorkflows("ExecutionStatus = 'WORKFLOW_EXECUTION_STATUS_TIMED_OUT'")).toEqual(status);
    expect(overWorkflows('ExecutionStatus = 7')).toEqual(status);
    const duration = { field: '$duration', is: '>', value: 5_400_000 };
    expect(overWorkflows("ExecutionDuration > '1h30m'")).toEqual(duration);
    expect(overWorkflows("ExecutionDuration > '01:30:00'")).toEqual(duration);
    expect(overWorkflows('ExecutionDuration > 5400000000000')).toEqual(duration);
    expect(refusal("ExecutionStatus = 'Busy'", overWorkflows)).toContain('write one of Running, Completed');
    expect(refusal('GROUP BY WorkflowType', overWorkflows)).toContain('only supported for ExecutionStatus');
    expect(refusal('GROUP BY ExecutionStatus, WorkflowType', overWorkflows)).toContain('at position 27');
  });
});
