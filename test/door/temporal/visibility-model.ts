/**
 * A second opinion on what a query means, straight from the words of the language over typed values, without filters and
 * without the store's tricks; and generators of queries and rows that often meet each other.
 */
import fc from 'fast-check';
import type { AttributeType, AttributeTypes } from '../../../packages/carillon/src/service/attribute-type.ts';
import type { Attributes, AttributeValue } from '../../../packages/carillon/src/store/records.ts';
import { storedValue } from '../../../packages/server/src/door/temporal/search-attributes/attribute-value.ts';
import type {
  Comparison,
  Expression,
  Literal,
} from '../../../packages/server/src/door/temporal/visibility/expression.ts';

export const modelTypes: AttributeTypes = new Map<string, AttributeType>([
  ['Color', 'Keyword'],
  ['Size', 'Int'],
  ['Weight', 'Double'],
  ['Ready', 'Bool'],
  ['Due', 'Datetime'],
  ['Labels', 'KeywordList'],
  ['Story', 'Text'],
  ['odd `name`', 'Keyword'],
]);

/** JSON by attribute; absent ones are left out. */
export type ModelRow = Readonly<Record<string, string | number | boolean | readonly string[]>>;

const keywords = ['red', 'Red', 'redder', 'green', '', "o'clock", 'a "b" \\c', 'ö'];
const times = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T01:00:00+01:00',
  '2026-06-01T12:30:00.250Z',
  '1999-12-31T23:59:59Z',
];
const stories = ['The quick brown fox', 'quick, quick!', 'slow', '', 'Über alles'];

const values: Readonly<Record<AttributeType, fc.Arbitrary<string | number | boolean>>> = {
  Keyword: fc.constantFrom(...keywords),
  KeywordList: fc.constantFrom(...keywords),
  Text: fc.constantFrom('quick', 'QUICK fox', 'wolf', 'über', '...', ''),
  Int: fc.integer({ min: -3, max: 3 }),
  Double: fc.constantFrom(-1.5, -1, 0, 0.25, 1, 1e21, 2.5e-7),
  Bool: fc.boolean(),
  Datetime: fc.constantFrom(...times),
};

export const rows: fc.Arbitrary<ModelRow> = fc.record(
  {
    Color: fc.constantFrom(...keywords),
    Size: fc.integer({ min: -3, max: 3 }),
    Weight: fc.constantFrom(-1.5, -1, 0, 0.25, 1, 1e21, 2.5e-7),
    Ready: fc.boolean(),
    Due: fc.constantFrom(...times),
    Labels: fc.uniqueArray(fc.constantFrom(...keywords), { minLength: 1, maxLength: 3 }),
    Story: fc.constantFrom(...stories),
    'odd `name`': fc.constantFrom(...keywords),
  },
  { requiredKeys: [] },
);

const equality: readonly Comparison[] = ['=', '!='];
const order: readonly Comparison[] = ['<', '<=', '>', '>='];
const prefix: readonly Comparison[] = ['STARTS_WITH', 'NOT STARTS_WITH'];
const comparisons: Readonly<Record<AttributeType, readonly Comparison[]>> = {
  Keyword: [...equality, ...order, ...prefix],
  KeywordList: equality,
  Text: equality,
  Int: [...equality, ...order],
  Double: [...equality, ...order],
  Bool: [...equality, ...order],
  Datetime: [...equality, ...order],
};

const condition: fc.Arbitrary<Expression> = fc
  .constantFrom(...modelTypes.entries())
  .chain(([name, type]): fc.Arbitrary<Expression> => {
    const field = { name, at: 0 };
    const literal = values[type].map(literalOf);
    const compare = fc
      .tuple(fc.constantFrom(...comparisons[type]), literal)
      .map(([operator, value]): Expression => ({ kind: 'compare', field, operator, value }));
    const missing = fc.boolean().map((negated): Expression => ({ kind: 'null', field, negated }));
    const among = fc
      .tuple(fc.boolean(), fc.array(literal, { minLength: 1, maxLength: 3 }))
      .map(([negated, list]): Expression => ({ kind: 'in', field, negated, values: list }));
    const between = fc
      .tuple(fc.boolean(), literal, literal)
      .map(([negated, low, high]): Expression => ({ kind: 'between', field, negated, low, high }));
    const forms = [compare, missing];
    if (type !== 'Text') forms.push(among);
    // Flags have an order, but no BETWEEN.
    if (comparisons[type].includes('<') && type !== 'Bool') forms.push(between);
    return fc.oneof(...forms);
  });

function literalOf(value: string | number | boolean): Literal {
  if (typeof value === 'string') return { kind: 'text', value, at: 0 };
  return typeof value === 'number' ? { kind: 'number', value, at: 0 } : { kind: 'flag', value, at: 0 };
}

export const expressions: fc.Arbitrary<Expression> = fc.letrec<{ any: Expression }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    condition,
    fc
      .tuple(
        fc.constantFrom('and' as const, 'or' as const),
        fc.array(tie('any'), { minLength: 2, maxLength: 3 }),
      )
      .map(([kind, parts]): Expression => ({ kind, parts })),
    tie('any').map((part): Expression => ({ kind: 'not', part })),
  ),
})).any;

/** What the store would keep of a row. */
export function storedRow(row: ModelRow): Attributes {
  return Object.fromEntries(
    Object.entries(row).map(([name, json]) => [
      name,
      storedValue(json, modelTypes.get(name) as AttributeType) as AttributeValue,
    ]),
  );
}

export function holds(expression: Expression, row: ModelRow): boolean {
  return truth(expression, row) === true;
}

/** Undefined: neither true nor false, because a field is absent. */
function truth(expression: Expression, row: ModelRow): boolean | undefined {
  switch (expression.kind) {
    case 'and': {
      const parts = expression.parts.map((part) => truth(part, row));
      return parts.includes(false) ? false : parts.includes(undefined) ? undefined : true;
    }
    case 'or': {
      const parts = expression.parts.map((part) => truth(part, row));
      return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false;
    }
    case 'not': {
      const part = truth(expression.part, row);
      return part === undefined ? undefined : !part;
    }
    case 'null':
      return (row[expression.field.name] === undefined) !== expression.negated;
    case 'in': {
      const { field, negated } = expression;
      const found = expression.values.some((value) => compares(field.name, '=', value, row));
      return isKnown(field.name, row) ? found !== negated : undefined;
    }
    case 'between': {
      const { name } = expression.field;
      const inside = compares(name, '>=', expression.low, row) && compares(name, '<=', expression.high, row);
      return isKnown(name, row) ? inside !== expression.negated : undefined;
    }
    case 'compare': {
      const { name } = expression.field;
      return isKnown(name, row) ? compares(name, expression.operator, expression.value, row) : undefined;
    }
  }
}

/** A row without words or elements contains none of those asked for, which is an answer. */
function isKnown(name: string, row: ModelRow): boolean {
  const type = modelTypes.get(name);
  return row[name] !== undefined || type === 'Text' || type === 'KeywordList';
}

function compares(name: string, operator: Comparison, literal: Literal, row: ModelRow): boolean {
  if (operator === '!=') return !compares(name, '=', literal, row);
  if (operator === 'NOT STARTS_WITH') return !compares(name, 'STARTS_WITH', literal, row);
  const found = row[name];
  if (found === undefined) return false;
  const type = modelTypes.get(name) as AttributeType;
  if (type === 'Text') {
    const words = wordSet(String(found));
    return [...wordSet(String(literal.value))].some((word) => words.has(word));
  }
  if (type === 'KeywordList') {
    const wanted = String(literal.value);
    return (found as readonly string[]).some((each) =>
      operator === '=' ? each === wanted : each.startsWith(wanted),
    );
  }
  if (operator === 'STARTS_WITH') return String(found).startsWith(String(literal.value));
  const sign =
    type === 'Datetime'
      ? Date.parse(String(found)) - Date.parse(String(literal.value))
      : typeof found === 'string'
        ? Buffer.compare(Buffer.from(found), Buffer.from(String(literal.value)))
        : Number(found) - Number(literal.value);
  switch (operator) {
    case '=':
      return sign === 0;
    case '<':
      return sign < 0;
    case '<=':
      return sign <= 0;
    case '>':
      return sign > 0;
    case '>=':
      return sign >= 0;
  }
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_]+/u)
      .filter((word) => word !== ''),
  );
}
