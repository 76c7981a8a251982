/**
 * One transaction: select, decide, commit; it begins again when the commit finds that a row has changed.
 *
 * The contract asks that no two transactions decide over the same row at the same time. Redis has no row locks that
 * outlive a command, so the store reaches the same result in another way: two may decide over one version of a row, but
 * only one decision over it is ever committed. Every execution has a version and every run a hidden revision;
 * the commit script compares all rows the decision was made over, whether it writes them or not, and the newest
 * incarnation under each key it looked at, before it writes anything, and no other command runs meanwhile. A decision that
 * comes too late is discarded and made again, which is safe because it is a pure function of its input.
 */
import type { Clock } from '../../base/clock.ts';
import { pause } from '../../base/pause.ts';
import { addTime } from '../../base/time.ts';
import { changeOf } from '../change.ts';
import { namesTaken, StoreError, type TakenName } from '../error.ts';
import { loadedRows, partKey } from '../loaded.ts';
import type { PartRef } from '../records.ts';
import type { CommittedChange, Decider, Selection } from '../store.ts';
import type { Connection } from './connection.ts';
import { loadEvents } from './event-rows.ts';
import { partField, partOf } from './part-codec.ts';
import type { SelectAnswer, Selected } from './selection.ts';
import { selectArguments, selectedOf } from './selection.ts';
import { divider, keyOf, unescapeText } from './text.ts';
import { commitArguments, isEmpty } from './writing.ts';

export interface Surroundings {
  readonly connection: Connection;
  /** The time for the scripts; empty: the server's clock is used. */
  readonly now: () => string;
  /** Measures pauses only. */
  readonly timer: Clock;
  readonly random: () => number;
  readonly origin: string;
  readonly tell: (change: CommittedChange) => void;
}

/** How long a transaction begins again before it gives up, which is some hundred tries. */
const patienceMs = 10_000;
const longestPause = 64;

export async function transact<T>(
  around: Surroundings,
  selection: Selection,
  decider: Decider<T>,
): Promise<T> {
  const { timer } = around;
  const until = addTime(timer.now(), patienceMs);
  for (let lost = 0; ; lost++) {
    // A transaction that loses for the first time begins again at once; after that it pauses, each for a different time.
    if (lost > 1) await pauseAtRandom(around, Math.min(2 ** lost, longestPause));
    const outcome = await attempt(around, selection, decider);
    if (outcome !== 'stale') return outcome.result;
    if (timer.now() >= until) {
      throw new StoreError(
        'unavailable',
        `${around.connection.name}: other nodes changed these rows ${lost + 1} times while this transaction was deciding; nothing was written`,
      );
    }
  }
}

async function attempt<T>(
  around: Surroundings,
  selection: Selection,
  decider: Decider<T>,
): Promise<{ readonly result: T } | 'stale'> {
  const { connection } = around;
  const answer = await connection.run<SelectAnswer>('select', selectArguments(selection, around.now()));
  const selected = selectedOf(selection, answer);
  let isSettled = false;
  try {
    const { now, executions, runs } = selected;
    const rows = { now, executions, runs: runs.map(({ row }) => row) };
    const needs = decider.need?.(executions, rows.runs);
    const [parts, events] = await Promise.all([
      loadParts(connection, needs?.parts ?? []),
      needs?.events?.length ? loadEvents(connection, needs.events) : undefined,
    ]);
    if ([...parts.values()].includes(undefined) && (await isStale(around, selected))) return 'stale';
    const { writes, result } = decider.decide(loadedRows(rows, parts, events));
    if (isEmpty(writes)) return { result };
    const request = { writes, selected, origin: around.origin };
    const [verdict, ...details] = await connection.run<readonly string[]>('commit', commitArguments(request));
    if (verdict === 'stale') return 'stale';
    if (verdict === 'taken') throw namesTaken(takenOf(details));
    if (verdict !== 'ok') throw new StoreError('conflict', details[0] ?? 'the commit was refused');
    isSettled = true;
    const change = changeOf(writes, details.map(keyOf));
    if (change !== null) around.tell(change);
    return { result };
  } finally {
    if (!isSettled) giveBack(connection, selected);
  }
}

/** Kind, name and its run (or the state of the run that has the id), in turn. */
function takenOf(details: readonly string[]): readonly TakenName[] {
  const taken: TakenName[] = [];
  for (let i = 0; i + 2 < details.length; i += 3) {
    const [kind, name, about] = details.slice(i, i + 3) as [string, string, string];
    if (kind === 'id') taken.push({ id: name, finished: about === 'done' });
    else {
      const [namespace = '', alias = ''] = name.split(divider).map(unescapeText);
      taken.push({ namespace, alias, runId: about });
    }
  }
  return taken;
}

/** A part may be absent because its execution has changed since it was selected; then no data is damaged. */
async function isStale(around: Surroundings, selected: Selected): Promise<boolean> {
  const request = { writes: {}, selected: { ...selected, putOff: [] }, origin: around.origin };
  const [verdict] = await around.connection.run<readonly string[]>('commit', commitArguments(request));
  return verdict === 'stale';
}

async function loadParts(
  connection: Connection,
  refs: readonly PartRef[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  const byExecution = new Map<string, PartRef[]>();
  for (const ref of refs) {
    const refsOf = byExecution.get(ref.incarnation);
    if (refsOf === undefined) byExecution.set(ref.incarnation, [ref]);
    else refsOf.push(ref);
  }
  await Promise.all(
    [...byExecution].map(async ([incarnation, wanted]) => {
      const values = await connection.call((client, key) =>
        client.hmget(key(`parts:${incarnation}`), ...wanted.map(partField)),
      );
      wanted.forEach((ref, i) => {
        const value = values[i];
        found.set(partKey(ref), value == null ? undefined : partOf(ref, value).data);
      });
    }),
  );
  return found;
}

/** No caller waits for this command: commands of one connection keep their order, and rows that are not released become due again by themselves. */
function giveBack(connection: Connection, { putOff, putOffUntil }: Selected): void {
  if (putOff.length === 0) return;
  const rows = putOff.flatMap(({ index, member, at }) => [index, member, at]);
  connection.run('release', [putOffUntil, putOff.length, ...rows]).catch(() => {});
}

async function pauseAtRandom({ timer, random }: Surroundings, longest: number): Promise<void> {
  await pause(timer, 1 + random() * longest);
}
