/**
 * How an execution is stored in Redis. The hot row is one value: version and status, which the scripts read, then the columns
 * that only this code reads. Key and creation never change and are another value, so that a step does not write them again.
 */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { Attributes, ExecutionKey, ExecutionRow, ListedExecution } from '../records.ts';
import { keyOf, numberOrNull, optionalNumber, optionalText, textOrNull } from './text.ts';

export function executionValue(row: ExecutionRow): string {
  const signals = JSON.stringify(row.signals);
  const status = row.status === 'open' ? 'o' : 'c';
  // The state comes last and unescaped: it is the largest column, and no column follows it.
  return `${row.version}\0${status}\0${optionalNumber(row.wakeAt)}\0${optionalNumber(row.closedAt)}\0${optionalText(row.incident)}\0${signals}\0${row.state}`;
}

export interface Birth {
  /** The number in order of creation. */
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly key: ExecutionKey;
}

export function birthOf(value: string): Birth {
  const first = value.indexOf('\0');
  const second = value.indexOf('\0', first + 1);
  if (first < 0 || second < 0) throw corrupt('birth', value);
  return {
    sequence: Number(value.slice(0, first)),
    createdAt: Number(value.slice(first + 1, second)) as Instant,
    key: keyOf(value.slice(second + 1)),
  };
}

export function executionOf(incarnation: string, value: string, birth: Birth): ExecutionRow {
  const fields: string[] = [];
  let from = 0;
  while (fields.length < 6) {
    const to = value.indexOf('\0', from);
    if (to < 0) throw corrupt(`execution ${incarnation}`, value);
    fields.push(value.slice(from, to));
    from = to + 1;
  }
  const [version, status, wakeAt, closedAt, incident, signals] = fields as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    key: birth.key,
    incarnation,
    version: Number(version),
    status: status === 'o' ? 'open' : 'closed',
    wakeAt: numberOrNull(wakeAt),
    state: value.slice(from),
    signals: parseStored(signals, `signals of ${incarnation}`),
    incident: textOrNull(incident),
    createdAt: birth.createdAt,
    closedAt: numberOrNull(closedAt),
  };
}

export interface Listed {
  readonly row: ListedExecution;
  readonly sequence: number;
}

/** Decodes rows as `read` and `list` return them, four values each. */
export function listedOf(values: readonly (string | null)[]): Listed[] {
  const rows: Listed[] = [];
  for (let i = 0; i + 3 < values.length; i += 4) {
    const [incarnation, value, origin, attributes] = values.slice(i, i + 4);
    if (incarnation == null || value == null || origin == null) {
      throw new StoreError('corrupt', `the index names execution ${incarnation}, which is not stored`);
    }
    const birth = birthOf(origin);
    const row: ListedExecution = {
      ...executionOf(incarnation, value, birth),
      attributes: attributes ? parseStored<Attributes>(attributes, `attributes of ${incarnation}`) : {},
    };
    rows.push({ row, sequence: birth.sequence });
  }
  return rows;
}

function parseStored<T>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw new StoreError('corrupt', `the ${what} are not what was written`, error);
  }
}

function corrupt(what: string, value: string): StoreError {
  return new StoreError('corrupt', `${what} is not what was written: ${JSON.stringify(value.slice(0, 80))}`);
}
