/**
 * Parses a query. Precedence from lowest to highest: OR, AND, NOT, a condition on one field; any of them may be in
 * parentheses. A recursive descent parser with bounds on depth and number of conditions, which bound the cost of a query.
 */
import type { Comparison, Expression, FieldName, Literal, VisibilityQuery } from './expression.ts';
import { queryError } from './query-error.ts';
import type { Token } from './token.ts';
import { tokenize } from './token.ts';

/** Deepest nesting of parentheses and NOTs. */
const deepest = 50;

/** Conditions in one query; each one costs time for every row. */
const mostConditions = 500;

/** These words are names only in backticks. */
const keywords: ReadonlySet<string> = new Set(
  'AND OR NOT IN BETWEEN IS NULL STARTS_WITH LIKE ORDER GROUP BY LIMIT TRUE FALSE'.split(' '),
);

const comparisons: ReadonlySet<string> = new Set(['=', '!=', '<', '<=', '>', '>=']);

export function parseQuery(query: string): VisibilityQuery {
  return new Parser(tokenize(query)).query();
}

class Parser {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;
  #conditions = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  query(): VisibilityQuery {
    const isEmpty = this.#peek.kind === 'end' || this.#isWord('GROUP') || this.#isWord('ORDER');
    const where = isEmpty ? null : this.#either();
    const groupBy = this.#grouping();
    if (this.#isWord('ORDER')) {
      throw queryError(
        "operation is not supported: 'ORDER BY' clause (the order is fixed, newest first for workflows)",
        this.#peek.at,
      );
    }
    if (this.#isWord('LIMIT')) throw queryError('LIMIT is not supported: ask for a page size', this.#peek.at);
    if (this.#peek.kind !== 'end') throw this.#unexpected('AND, OR or the end');
    return { where, groupBy };
  }

  #grouping(): readonly FieldName[] {
    if (!this.#takeWord('GROUP')) return [];
    if (!this.#takeWord('BY')) throw this.#unexpected('BY');
    const fields = [this.#field()];
    while (this.#takeSign(',')) fields.push(this.#field());
    return fields;
  }

  #either(): Expression {
    return this.#several('or', 'OR', () => this.#both());
  }

  #both(): Expression {
    return this.#several('and', 'AND', () => this.#negation());
  }

  #several(kind: 'and' | 'or', keyword: string, read: () => Expression): Expression {
    const first = read();
    if (!this.#isWord(keyword)) return first;
    const parts = [first];
    while (this.#takeWord(keyword)) parts.push(read());
    return { kind, parts };
  }

  #negation(): Expression {
    if (!this.#isWord('NOT')) return this.#single();
    return this.#deeper(() => {
      this.#next += 1;
      return { kind: 'not', part: this.#negation() };
    });
  }

  #single(): Expression {
    if (!this.#isSign('(')) return this.#condition();
    return this.#deeper(() => {
      const open = this.#take();
      const inside = this.#either();
      if (!this.#takeSign(')')) {
        if (this.#peek.kind === 'end') throw queryError('a parenthesis is never closed; it opens', open.at);
        throw this.#unexpected("AND, OR or ')'");
      }
      return inside;
    });
  }

  #condition(): Expression {
    this.#conditions += 1;
    if (this.#conditions > mostConditions) {
      throw queryError(`more than ${mostConditions} conditions`, this.#peek.at);
    }
    const field = this.#field();
    const token = this.#take();
    if (token.kind === 'sign' && comparisons.has(token.text)) {
      return { kind: 'compare', field, operator: token.text as Comparison, value: this.#literal() };
    }
    if (token.kind === 'word') {
      const operator = token.text.toUpperCase();
      if (operator === 'IS') {
        const negated = this.#takeWord('NOT');
        if (!this.#takeWord('NULL')) throw this.#unexpected('NULL');
        return { kind: 'null', field, negated };
      }
      const negated = operator === 'NOT';
      const matcher = negated ? this.#take() : token;
      const read =
        matcher.kind === 'word' ? this.#matching(field, matcher.text.toUpperCase(), negated) : undefined;
      if (read !== undefined) return read;
      this.#next -= negated ? 1 : 0;
    }
    this.#next -= 1;
    if (this.#isWord('LIKE')) throw queryError('LIKE is not supported: use STARTS_WITH', this.#peek.at);
    throw this.#unexpected(`an operator after '${field.name}'`);
  }

  #matching(field: FieldName, operator: string, negated: boolean): Expression | undefined {
    switch (operator) {
      case 'IN':
        return { kind: 'in', field, negated, values: this.#list() };
      case 'BETWEEN': {
        const low = this.#literal();
        if (!this.#takeWord('AND')) throw this.#unexpected('AND between the two bounds');
        return { kind: 'between', field, negated, low, high: this.#literal() };
      }
      case 'STARTS_WITH':
        return {
          kind: 'compare',
          field,
          operator: negated ? 'NOT STARTS_WITH' : 'STARTS_WITH',
          value: this.#literal(),
        };
      default:
        return undefined;
    }
  }

  #list(): readonly Literal[] {
    if (!this.#takeSign('(')) throw this.#unexpected("'(' and a list of values");
    const values = [this.#literal()];
    while (this.#takeSign(',')) values.push(this.#literal());
    if (!this.#takeSign(')')) throw this.#unexpected("',' or ')'");
    return values;
  }

  /** A name may be in backticks or bare; quotes are for values. */
  #field(): FieldName {
    const token = this.#peek;
    const isBare = token.kind === 'word' && !keywords.has(token.text.toUpperCase());
    if (!isBare && token.kind !== 'name') throw this.#unexpected('the name of a field');
    this.#next += 1;
    return { name: token.text, at: token.at };
  }

  #literal(): Literal {
    const token = this.#peek;
    const { at } = token;
    if (token.kind === 'text') {
      this.#next += 1;
      return { kind: 'text', value: token.text, at };
    }
    if (token.kind === 'number') {
      this.#next += 1;
      return { kind: 'number', value: token.value, at };
    }
    if (this.#takeWord('TRUE')) return { kind: 'flag', value: true, at };
    if (this.#takeWord('FALSE')) return { kind: 'flag', value: false, at };
    if (this.#isWord('NULL')) throw queryError('compare with NULL by IS NULL or IS NOT NULL', at);
    throw this.#unexpected('a value (text goes in quotes)');
  }

  #deeper(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > deepest) throw queryError(`nested more than ${deepest} deep`, this.#peek.at);
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  get #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  /** Never moves beyond the end token. */
  #take(): Token {
    const token = this.#peek;
    this.#next += 1;
    if (token.kind === 'end') {
      this.#next -= 1;
      throw this.#unexpected('an operator');
    }
    return token;
  }

  #isWord(keyword: string): boolean {
    const token = this.#peek;
    return token.kind === 'word' && token.text.toUpperCase() === keyword;
  }

  #isSign(text: string): boolean {
    const token = this.#peek;
    return token.kind === 'sign' && token.text === text;
  }

  #takeWord(keyword: string): boolean {
    const isIt = this.#isWord(keyword);
    if (isIt) this.#next += 1;
    return isIt;
  }

  #takeSign(text: string): boolean {
    const isIt = this.#isSign(text);
    if (isIt) this.#next += 1;
    return isIt;
  }

  #unexpected(wanted: string): Error {
    const token = this.#peek;
    const found =
      token.kind === 'end' ? 'the end' : token.kind === 'number' ? String(token.value) : `'${token.text}'`;
    return queryError(`expected ${wanted}, found ${found}`, token.at);
  }
}
