/** The fields that a query may name: where their value is in a row, and how a literal becomes a value to compare with. */
import { parseInstant, unreachable } from 'carillon/internal/base';
import type { AttributeType } from 'carillon/internal/service';
import type { Comparison, Literal } from './expression.ts';

export interface QueryField {
  readonly type: AttributeType;
  /** The field's name in the rows. */
  readonly key: string;
  /** The operators it supports; default: those of its type. */
  readonly operators?: readonly Operator[];
  /** Reads literals that the type alone does not accept; undefined leaves them to the type. */
  read?(literal: Literal): FieldValue | FieldRefusal | undefined;
}

export type FieldValue = string | number | boolean;

/** Why a literal is not a value of the field. */
export class FieldRefusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Undefined when the name is unknown. A refusal when the name is known but not supported here. */
export type FieldTable = (name: string) => QueryField | FieldRefusal | undefined;

export type Operator = Comparison | 'IN' | 'NOT IN' | 'BETWEEN' | 'NOT BETWEEN' | 'IS NULL' | 'IS NOT NULL';

const presence: readonly Operator[] = ['IS NULL', 'IS NOT NULL'];
const equality: readonly Operator[] = ['=', '!=', 'IN', 'NOT IN', ...presence];
const order: readonly Operator[] = ['<', '<=', '>', '>=', 'BETWEEN', 'NOT BETWEEN'];
const prefix: readonly Operator[] = ['STARTS_WITH', 'NOT STARTS_WITH'];

/** The operators of ids and states, which have no order. */
export const nameOperators: readonly Operator[] = [...equality, ...prefix];

const operatorsOfType: Readonly<Record<AttributeType, readonly Operator[]>> = {
  Text: ['=', '!=', ...presence],
  Keyword: [...equality, ...order, ...prefix],
  KeywordList: equality,
  Int: [...equality, ...order],
  Double: [...equality, ...order],
  // As Temporal has it: flags are compared, but not BETWEEN two.
  Bool: [...equality, '<', '<=', '>', '>='],
  Datetime: [...equality, ...order],
};

export function operatorsOf({ type, operators }: QueryField): readonly Operator[] {
  return operators ?? operatorsOfType[type];
}

export function readLiteral(field: QueryField, literal: Literal): FieldValue | FieldRefusal {
  return field.read?.(literal) ?? readTyped(field.type, literal);
}

function readTyped(type: AttributeType, literal: Literal): FieldValue | FieldRefusal {
  const { value } = literal;
  switch (type) {
    case 'Text':
    case 'Keyword':
    case 'KeywordList':
      return typeof value === 'string' ? value : new FieldRefusal('write it in quotes');
    case 'Bool':
      return typeof value === 'boolean' ? value : new FieldRefusal('write true or false, without quotes');
    case 'Int':
    case 'Double':
      return typeof value === 'number' ? value : new FieldRefusal('write a number, without quotes');
    case 'Datetime':
      // A plain number means nanoseconds since 1970.
      if (typeof value === 'number') return Math.floor(value / 1_000_000);
      return (
        (typeof value === 'string' ? parseInstant(value) : undefined) ??
        new FieldRefusal("write a time with its zone, such as '2026-01-31T08:00:00Z'")
      );
    default:
      return unreachable(type);
  }
}
