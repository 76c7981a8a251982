/**
 * Binds a query: names become fields of rows, literals become values of their types, and the expression becomes a filter of
 * the store.
 *
 * As in SQL, a condition on an absent field is neither true nor false: `a = 1`, `a != 1`, `a NOT IN (1)` and `NOT a = 1`
 * all leave out a row without `a`. Texts and lists are searched by their words and elements, and a row without any of them
 * is a row that does not contain the value. To negate, the negation moves to the conditions.
 */
import { unreachable } from 'carillon/internal/base';
import type { Filter } from 'carillon/internal/service';
import { wordsOf } from '../search-attributes/words.ts';
import type { Expression, FieldName, Literal } from './expression.ts';
import type { FieldTable, FieldValue, Operator, QueryField } from './field.ts';
import { FieldRefusal, operatorsOf, readLiteral } from './field.ts';
import { queryError } from './query-error.ts';

export function bind(expression: Expression, fields: FieldTable): Filter {
  return bindIn(expression, fields, false);
}

function bindIn(expression: Expression, fields: FieldTable, negated: boolean): Filter {
  switch (expression.kind) {
    case 'and':
    case 'or': {
      const parts = expression.parts.map((part) => bindIn(part, fields, negated));
      return (expression.kind === 'and') === negated ? { any: parts } : { all: parts };
    }
    case 'not':
      return bindIn(expression.part, fields, !negated);
    case 'compare': {
      const { operator, value } = expression;
      const field = find(expression.field, operator, fields);
      const read = readValue(expression.field, field, value);
      switch (operator) {
        case '=':
          return holds(field, oneOf(field, [read]), negated);
        case '!=':
          return holds(field, oneOf(field, [read]), !negated);
        case 'STARTS_WITH':
          return holds(field, startsWith(field, read), negated);
        case 'NOT STARTS_WITH':
          return holds(field, startsWith(field, read), !negated);
        default:
          return holds(field, ordered(field, operator, read), negated);
      }
    }
    case 'in': {
      const field = find(expression.field, expression.negated ? 'NOT IN' : 'IN', fields);
      const values = expression.values.map((value) => readValue(expression.field, field, value));
      return holds(field, oneOf(field, values), expression.negated !== negated);
    }
    case 'between': {
      const { low, high } = expression;
      const field = find(expression.field, expression.negated ? 'NOT BETWEEN' : 'BETWEEN', fields);
      const between: Filter = {
        all: [
          ordered(field, '>=', readValue(expression.field, field, low)),
          ordered(field, '<=', readValue(expression.field, field, high)),
        ],
      };
      return holds(field, between, expression.negated !== negated);
    }
    case 'null': {
      const field = find(expression.field, expression.negated ? 'IS NOT NULL' : 'IS NULL', fields);
      return expression.negated !== negated ? present(field) : { not: present(field) };
    }
    default:
      return unreachable(expression);
  }
}

function present({ key }: QueryField): Filter {
  return { field: key, is: 'present' };
}

/** The filter, or the rows that have the field and for which the filter is false. */
function holds(field: QueryField, filter: Filter, negated: boolean): Filter {
  if (!negated) return filter;
  const isContained = field.type === 'Text' || field.type === 'KeywordList';
  return isContained ? { not: filter } : { all: [present(field), { not: filter }] };
}

export function find({ name, at }: FieldName, operator: Operator, fields: FieldTable): QueryField {
  const field = fields(name);
  if (field instanceof FieldRefusal) throw queryError(field.message, at);
  if (field === undefined) {
    throw queryError(`invalid search attribute: ${name.slice(0, 100)}`, at);
  }
  const allowed = operatorsOf(field);
  if (allowed.includes(operator)) return field;
  throw queryError(
    `operator ${operator} is not supported for '${name}' of type ${field.type}: use ${allowed.join(', ')}`,
    at,
  );
}

function readValue({ name }: FieldName, field: QueryField, literal: Literal): FieldValue {
  const value = readLiteral(field, literal);
  if (!(value instanceof FieldRefusal)) return value;
  const said = JSON.stringify(literal.value).slice(0, 100);
  throw queryError(
    `invalid value for search attribute ${name} of type ${field.type}: ${said} (${value.message})`,
    literal.at,
  );
}

function oneOf(field: QueryField, values: readonly FieldValue[]): Filter {
  // A text is stored with its words; a search matches when any of its words is among them.
  if (field.type === 'Text') {
    return { field: field.key, is: 'in', values: values.flatMap((value) => wordsOf(String(value))) };
  }
  const [value] = values;
  if (values.length === 1 && value !== undefined) return { field: field.key, is: '=', value };
  return { field: field.key, is: 'in', values };
}

/** Stores do not order flags; false comes before true. */
function ordered({ type, key }: QueryField, is: '<' | '<=' | '>' | '>=', value: FieldValue): Filter {
  if (type !== 'Bool') return { field: key, is, value };
  const values = [false, true].filter((flag) => {
    const order = Number(flag) - Number(value);
    return order === 0 ? is === '<=' || is === '>=' : order < 0 === is.startsWith('<');
  });
  return { field: key, is: 'in', values };
}

function startsWith(field: QueryField, value: FieldValue): Filter {
  return { field: field.key, is: 'startsWith', value };
}
