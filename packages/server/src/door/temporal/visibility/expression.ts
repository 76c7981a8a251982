/** A parsed query, before its names and types are checked. */

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

export interface VisibilityQuery {
  /** The condition; null matches everything. */
  readonly where: Expression | null;
  readonly groupBy: readonly FieldName[];
}
