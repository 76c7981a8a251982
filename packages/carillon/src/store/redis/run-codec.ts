/**
 * How a run is stored in Redis: one value of columns separated by NUL. The columns that the scripts index come first; before
 * them is a revision that only this folder uses, the compare-and-set of runs.
 */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { RunRow, RunState } from '../records.ts';
import {
  divider,
  escapeText,
  numberOrNull,
  optionalNumber,
  optionalText,
  textOrNull,
  unescapeText,
} from './text.ts';

const letters: Readonly<Record<RunState, string>> = { waiting: 'w', leased: 'l', done: 'd' };
const states: Readonly<Record<string, RunState>> = { w: 'waiting', l: 'leased', d: 'done' };
const columns = 25;

/** The value without the revision, which the commit script adds in front. */
export function runBody(run: RunRow): string {
  return [
    '',
    letters[run.state],
    run.priority,
    escapeText(run.queue),
    optionalText(run.owner),
    optionalText(run.alias),
    run.ordinal ?? '-1',
    run.availableAt,
    optionalNumber(run.checkAt),
    optionalNumber(run.finishedAt),
    escapeText(run.worker),
    escapeText(run.namespace),
    run.exclusive ? 'x' : '',
    escapeText(run.name),
    run.outcome ?? '',
    run.attempt,
    run.createdAt,
    optionalNumber(run.startedAt),
    escapeText(run.leaseToken),
    run.cancel,
    optionalText(run.progress),
    optionalText(run.result),
    escapeText(run.options),
    escapeText(run.input),
    '',
  ].join(divider);
}

export interface StoredRun {
  readonly row: RunRow;
  readonly revision: string;
}

export function storedRunOf(id: string, value: string): StoredRun {
  const fields = value.split(divider);
  if (fields.length !== columns) {
    throw new StoreError(
      'corrupt',
      `run ${id} is not what was written: ${JSON.stringify(value.slice(0, 80))}`,
    );
  }
  const field = (i: number) => fields[i] as string;
  const row: RunRow = {
    id,
    alias: textOrNull(field(5)),
    exclusive: field(12) === 'x',
    namespace: unescapeText(field(11)),
    owner: textOrNull(field(4)),
    ordinal: field(6) === '-1' ? null : Number(field(6)),
    queue: unescapeText(field(3)),
    name: unescapeText(field(13)),
    priority: Number(field(2)),
    state: states[field(1)] as RunState,
    outcome: field(14) === '' ? null : (field(14) as RunRow['outcome']),
    attempt: Number(field(15)),
    createdAt: Number(field(16)) as Instant,
    availableAt: Number(field(7)) as Instant,
    checkAt: numberOrNull(field(8)),
    startedAt: numberOrNull(field(17)),
    finishedAt: numberOrNull(field(9)),
    worker: unescapeText(field(10)),
    leaseToken: unescapeText(field(18)),
    cancel: field(19) as RunRow['cancel'],
    options: unescapeText(field(22)),
    input: unescapeText(field(23)),
    progress: textOrNull(field(20)),
    result: textOrNull(field(21)),
  };
  return { row, revision: field(0) };
}

/** Decodes runs as the scripts return them: id and value in turn. */
export function storedRunsOf(values: readonly (string | null)[]): StoredRun[] {
  const runs: StoredRun[] = [];
  for (let i = 0; i + 1 < values.length; i += 2) {
    const id = values[i] as string;
    const value = values[i + 1];
    if (value == null) throw new StoreError('corrupt', `an index names run ${id}, which is not stored`);
    runs.push(storedRunOf(id, value));
  }
  return runs;
}
