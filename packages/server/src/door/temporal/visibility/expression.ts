/** A parsed query, before its names and types are checked. */
import { unreachable } from 'carillon/internal/base';

export type Literal =
  | { readonly kind: 'text'; readonly value: string; readonly at: number }
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'flag'; readonly value: boolean; readonly at: number };

/** A name and its position. */
export interface FieldName {
  readonly name: string;
  readonly at: number;
}

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'STARTS_WITH' | 'NOT STARTS_WITH';

export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[] }
  | { readonly kind: 'not'; readonly part: Expression }
  | {
      readonly kind: 'compare';
      readonly field: FieldName;
      readonly operator: Comparison;
      readonly value: Literal;
    }
  | {
      readonly kind: 'in';
      readonly field: FieldName;
      readonly negated: boolean;
      readonly values: readonly Literal[];
    }
  | {
      readonly kind: 'between';
      readonly field: FieldName;
      readonly negated: boolean;
      readonly low: Literal;
      readonly high: Literal;
    }
  | { readonly kind: 'null'; readonly field: FieldName; readonly negated: boolean };

export interface Query {
  /** The condition; null matches everything. */
  readonly where: Expression | null;
  readonly groupBy: readonly FieldName[];
}

/** The query as text that parses to the same query. */
export function printQuery({ where, groupBy }: Query): string {
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
