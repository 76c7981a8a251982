/** Writes a visibility query as text that parses to the same query. */
import { unreachable } from '../../../packages/carillon/src/base/assert.ts';
import type {
  Expression,
  FieldName,
  Literal,
  VisibilityQuery,
} from '../../../packages/server/src/door/temporal/visibility/expression.ts';

export function printQuery({ where, groupBy }: VisibilityQuery): string {
  const grouping = groupBy.length === 0 ? '' : `GROUP BY ${groupBy.map(printName).join(', ')}`;
  return [where === null ? '' : print(where), grouping].filter((part) => part !== '').join(' ');
}

function print(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.map((part) => inner(part)).join(` ${expression.kind.toUpperCase()} `);
    case 'not':
      return `NOT ${inner(expression.part)}`;
    case 'compare':
      return `${printName(expression.field)} ${expression.operator} ${printLiteral(expression.value)}`;
    case 'in': {
      const values = expression.values.map(printLiteral).join(', ');
      return `${printName(expression.field)} ${expression.negated ? 'NOT ' : ''}IN (${values})`;
    }
    case 'between': {
      const { field, negated, low, high } = expression;
      return `${printName(field)} ${negated ? 'NOT ' : ''}BETWEEN ${printLiteral(low)} AND ${printLiteral(high)}`;
    }
    case 'null':
      return `${printName(expression.field)} IS ${expression.negated ? 'NOT ' : ''}NULL`;
    default:
      return unreachable(expression);
  }
}

/** Compound expressions get parentheses. */
function inner(expression: Expression): string {
  const text = print(expression);
  return expression.kind === 'and' || expression.kind === 'or' || expression.kind === 'not'
    ? `(${text})`
    : text;
}

function printName({ name }: FieldName): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function printLiteral(literal: Literal): string {
  if (literal.kind === 'text') {
    return `'${literal.value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  }
  return String(literal.value);
}
