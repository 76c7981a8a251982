/**
 * Binds a query: names become fields of rows, literals become values of their types, and the expression becomes a filter of
 * the store.
 *
 * The logic has two values: every negative operator is exactly the negation of its positive one, so `a != 1`,
 * `a NOT IN (1)` and `NOT a = 1` agree, and all of them hold where `a` is absent.
 */
import { unreachable } from 'carillon/internal/base';
import type { Filter } from 'carillon/internal/service';
import { wordsOf } from '../search-attributes/words.ts';
import type { Expression, FieldName, Literal } from './expression.ts';
import type { Field, FieldTable, Operator, Value } from './field.ts';
import { operatorsOf, Refusal, readLiteral } from './field.ts';
import { queryError } from './query-error.ts';

const always: Filter = { all: [] };
const never: Filter = { any: [] };

export function bind(expression: Expression, fields: FieldTable): Filter {
  switch (expression.kind) {
    case 'and':
      return { all: expression.parts.map((part) => bind(part, fields)) };
    case 'or':
      return { any: expression.parts.map((part) => bind(part, fields)) };
    case 'not':
      return { not: bind(expression.part, fields) };
    case 'compare': {
      const { operator, value } = expression;
      const field = find(expression.field, operator, fields);
      const read = readValue(expression.field, field, value);
      switch (operator) {
        case '=':
          return oneOf(field, [read]);
        case '!=':
          return { not: oneOf(field, [read]) };
        case 'STARTS_WITH':
          return startsWith(field, read);
        case 'NOT STARTS_WITH':
          return { not: startsWith(field, read) };
        default:
          return { field: field.key, is: operator, value: read };
      }
    }
    case 'in': {
      const field = find(expression.field, expression.negated ? 'NOT IN' : 'IN', fields);
      const values = expression.values.map((value) => readValue(expression.field, field, value));
      return negate(expression.negated, oneOf(field, values));
    }
    case 'between': {
      const { negated, low, high } = expression;
      const field = find(expression.field, negated ? 'NOT BETWEEN' : 'BETWEEN', fields);
      const { key } = field;
      return negate(negated, {
        all: [
          { field: key, is: '>=', value: readValue(expression.field, field, low) },
          { field: key, is: '<=', value: readValue(expression.field, field, high) },
        ],
      });
    }
    case 'null': {
      const { negated } = expression;
      const field = find(expression.field, negated ? 'IS NOT NULL' : 'IS NULL', fields);
      const present: Filter = field.constant === undefined ? { field: field.key, is: 'present' } : always;
      return negate(!negated, present);
    }
    default:
      return unreachable(expression);
  }
}

export function find({ name, at }: FieldName, operator: Operator, fields: FieldTable): Field {
  const field = fields(name);
  if (field instanceof Refusal) throw queryError(field.message, at);
  if (field === undefined) {
    throw queryError(`column name '${name.slice(0, 100)}' is not a valid search attribute`, at);
  }
  const allowed = operatorsOf(field);
  if (allowed.includes(operator)) return field;
  throw queryError(
    `operator ${operator} is not supported for '${name}' of type ${field.type}: use ${allowed.join(', ')}`,
    at,
  );
}

function readValue({ name }: FieldName, field: Field, literal: Literal): Value {
  const value = readLiteral(field, literal);
  if (!(value instanceof Refusal)) return value;
  const said = JSON.stringify(literal.value).slice(0, 100);
  throw queryError(
    `invalid value for search attribute ${name} of type ${field.type}: ${said} (${value.message})`,
    literal.at,
  );
}

function oneOf(field: Field, values: readonly Value[]): Filter {
  if (field.constant !== undefined) return values.includes(field.constant) ? always : never;
  // A text is stored with its words; a search matches when any of its words is among them.
  if (field.type === 'Text') {
    return { field: field.key, is: 'in', values: values.flatMap((value) => wordsOf(String(value))) };
  }
  const [value] = values;
  if (values.length === 1 && value !== undefined) return { field: field.key, is: '=', value };
  return { field: field.key, is: 'in', values };
}

function startsWith(field: Field, value: Value): Filter {
  if (field.constant !== undefined) return field.constant.startsWith(String(value)) ? always : never;
  return { field: field.key, is: 'startsWith', value };
}

function negate(negated: boolean, filter: Filter): Filter {
  return negated ? { not: filter } : filter;
}
