/**
 * How a run lies in Redis: one value of columns parted by NUL. Those the scripts make indexes of come first; before them
 * stands a revision that nobody outside this folder sees, the compare-and-set of runs.
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
const columns = 23;

/** The value but for the revision, which the commit script puts before it. */
export function runBody(run: RunRow): string {
  return [
    '',
    letters[run.state],
    run.priority,
    escapeText(run.queue),
    optionalText(run.owner),
    optionalText(run.alias),
    run.availableAt,
    optionalNumber(run.checkAt),
    optionalNumber(run.finishedAt),
    escapeText(run.worker),
    escapeText(run.namespace),
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
    namespace: unescapeText(field(10)),
    owner: textOrNull(field(4)),
    queue: unescapeText(field(3)),
    name: unescapeText(field(11)),
    priority: Number(field(2)),
    state: states[field(1)] as RunState,
    outcome: field(12) === '' ? null : (field(12) as RunRow['outcome']),
    attempt: Number(field(13)),
    createdAt: Number(field(14)) as Instant,
    availableAt: Number(field(6)) as Instant,
    checkAt: numberOrNull(field(7)),
    startedAt: numberOrNull(field(15)),
    finishedAt: numberOrNull(field(8)),
    worker: unescapeText(field(9)),
    leaseToken: unescapeText(field(16)),
    cancel: field(17) as RunRow['cancel'],
    options: unescapeText(field(20)),
    input: unescapeText(field(21)),
    progress: textOrNull(field(18)),
    result: textOrNull(field(19)),
  };
  return { row, revision: field(0) };
}

/** Runs as the scripts hand them out: id and value in turn. */
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
