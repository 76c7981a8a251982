/** The result of a selection: the rows, and everything the commit compares to see whether they are unchanged. */
import type { Instant } from '../../base/time.ts';
import { compareText } from '../order.ts';
import type { ExecutionRow } from '../records.ts';
import type { Selection, WaitingQuery } from '../store.ts';
import type { CommandArgument } from './connection.ts';
import { birthOf, executionOf } from './execution-codec.ts';
import type { StoredRun } from './run-codec.ts';
import { storedRunsOf } from './run-codec.ts';
import { escapeText, keyText } from './text.ts';

/** A row that was postponed in an index, and its true time. */
export interface PutOff {
  readonly index: string;
  readonly member: string;
  readonly at: Instant;
}

export interface Selected {
  readonly now: Instant;
  readonly executions: readonly ExecutionRow[];
  readonly runs: readonly StoredRun[];
  /** The incarnation under each key that was asked for; empty where there was none. */
  readonly newest: readonly { readonly key: string; readonly incarnation: string }[];
  /** The mark in the indexes that replaces the true time; empty when no row was postponed. */
  readonly putOffUntil: string;
  readonly putOff: readonly PutOff[];
}

/**
 * How long selected rows are kept from other nodes: longer than a decision and its commit take under load, and short
 * enough that the rows of a node that died are not noticeably late.
 */
const holdMs = 1500;

export function selectArguments(selection: Selection, now: string): readonly CommandArgument[] {
  switch (selection.kind) {
    case 'due': {
      const { archetypes } = selection;
      const limit = Math.max(0, selection.limit);
      if (archetypes === undefined) return [now, 'due', holdMs, limit, -1];
      return [now, 'due', holdMs, limit, archetypes.length, ...archetypes.map(escapeText)];
    }
    case 'step': {
      const ids = [...new Set(selection.runs)];
      const [, , ...due] = selectArguments(selection.due, now);
      return [now, 'step', ids.length, ...ids, ...due];
    }
    case 'keys': {
      const keys = keysOf(selection);
      return [now, 'keys', keys.length, ...keys];
    }
    case 'runs': {
      const ids = [...new Set(selection.ids)];
      return [now, 'runs', ids.length, ...ids];
    }
    case 'claimable':
      return [now, 'claimable', holdMs, Math.max(0, selection.limit), ...queueArguments(selection)];
    case 'owned': {
      const { incarnation, limit, upTo } = selection;
      return [now, 'owned', escapeText(incarnation), Math.max(0, limit), upTo ?? '+inf'];
    }
    case 'held':
      return [now, 'held', escapeText(selection.worker), Math.max(0, selection.limit)];
    case 'lapsed':
      return [now, 'lapsed', holdMs, Math.max(0, selection.limit)];
  }
}

/** The queues of a question about waiting runs, as `takeQueues` of the scripts reads them. */
export function queueArguments({ queues, known = {} }: WaitingQuery): readonly (string | number)[] {
  const { namespace = '', names = {} } = known;
  const distinct = [...new Set(queues)];
  return [
    distinct.length,
    escapeText(namespace),
    ...distinct.flatMap((queue) => {
      const listed = Object.hasOwn(names, queue) ? names[queue] : undefined;
      return [escapeText(queue), listed?.length ?? -1, ...(listed ?? []).map(escapeText)];
    }),
  ];
}

/** The answer of the select script. */
export type SelectAnswer = readonly [
  now: string,
  putOffUntil: string,
  executions: readonly string[],
  runs: readonly string[],
  /** For `keys` the incarnation under each; for `step` the incarnations that were due and were postponed. */
  newest: readonly string[],
];

export function selectedOf(selection: Selection, answer: SelectAnswer): Selected {
  const [now, putOffUntil, executionValues, runValues, newest] = answer;
  const executions: ExecutionRow[] = [];
  for (let i = 0; i + 2 < executionValues.length; i += 3) {
    const [incarnation, value, birth] = executionValues.slice(i, i + 3) as [string, string, string];
    executions.push(executionOf(incarnation, value, birthOf(birth)));
  }
  const runs = storedRunsOf(runValues);
  // A row whose postponement has ended is in the index at another position than its time says: the order is that of the times.
  if (selection.kind === 'due') executions.sort((a, b) => (a.wakeAt as number) - (b.wakeAt as number));
  if (selection.kind === 'claimable') runs.sort(byPriority);
  if (selection.kind === 'lapsed') runs.sort(byCheck);
  return {
    now: Number(now) as Instant,
    executions,
    runs,
    newest:
      selection.kind === 'keys'
        ? keysOf(selection).map((key, i) => ({ key, incarnation: newest[i] ?? '' }))
        : [],
    putOffUntil,
    putOff: putOffBy(selection, executions, runs, newest),
  };
}

function keysOf(selection: Extract<Selection, { readonly kind: 'keys' }>): readonly string[] {
  return [...new Set(selection.keys.map(keyText))];
}

/** The names under which transactions of one process queue. */
export function namesOf(selection: Selection): readonly string[] {
  if (selection.kind === 'keys') return keysOf(selection).map((key) => `key:${key}`);
  if (selection.kind === 'runs') return selection.ids.map((id) => `run:${id}`);
  if (selection.kind === 'step') return selection.runs.map((id) => `run:${id}`);
  return [];
}

function putOffBy(
  selection: Selection,
  executions: readonly ExecutionRow[],
  runs: readonly StoredRun[],
  dueIncarnations: readonly string[],
): readonly PutOff[] {
  switch (selection.kind) {
    case 'due':
      return executions.map(({ key, incarnation, wakeAt }) => ({
        index: `due:${escapeText(key.archetype)}`,
        member: incarnation,
        at: wakeAt as Instant,
      }));
    case 'step': {
      const handed = new Set(dueIncarnations);
      return putOffBy(
        selection.due,
        executions.filter(({ incarnation }) => handed.has(incarnation)),
        [],
        [],
      );
    }
    case 'claimable':
      return runs.map(({ row }) => ({
        index: `waiting:${escapeText(row.queue)}\0${row.priority}`,
        member: row.id,
        at: row.availableAt,
      }));
    case 'lapsed':
      return runs.map(({ row }) => ({ index: 'checked', member: row.id, at: row.checkAt as Instant }));
    default:
      return [];
  }
}

function byPriority({ row: a }: StoredRun, { row: b }: StoredRun): number {
  return b.priority - a.priority || a.availableAt - b.availableAt || compareText(a.id, b.id);
}

function byCheck({ row: a }: StoredRun, { row: b }: StoredRun): number {
  return (a.checkAt as number) - (b.checkAt as number) || compareText(a.id, b.id);
}
