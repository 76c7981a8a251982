/**
 * Writes a decision as the arguments of the commit script, in the order in which `commit.lua` takes them: counts, then
 * rows of fixed width. Writes that contradict each other are refused here; those that contradict stored rows, there.
 */
import { changeOf, dueTime } from '../change.ts';
import { checkDistinct } from '../distinct-runs.ts';
import { StoreError } from '../error.ts';
import { eventKey, partKey } from '../loaded.ts';
import type { Attributes, ExecutionRow, ExecutionWrite } from '../records.ts';
import type { CommittedChange, Writes } from '../store.ts';
import type { CommandArgument } from './connection.ts';
import { eventNames, eventValue } from './event-codec.ts';
import { executionValue } from './execution-codec.ts';
import { auditValue, targetText } from './journal-codec.ts';
import { attemptText, logMember } from './log-rows.ts';
import { partField, partValue } from './part-codec.ts';
import { runBody } from './run-codec.ts';
import type { PutOff, Selected } from './selection.ts';
import { slotMember } from './slot-codec.ts';
import { escapeText, keyText } from './text.ts';

/**
 * A commit is one script, and while it runs Redis serves no other client. These limits keep it to about half a second; the engine
 * asks for no more than some thousand rows, which take some ten milliseconds.
 */
const mostRows = 20_000;
const mostCharacters = 64 * 1024 * 1024;

export function isEmpty(writes: Writes): boolean {
  return Object.values(writes).every((list) => list === undefined || list.length === 0);
}

export interface CommitRequest {
  readonly writes: Writes;
  readonly selected: Selected;
  /** Names this store to listeners, so that it ignores its own messages. */
  readonly origin: string;
}

export function commitArguments({ writes, selected, origin }: CommitRequest): readonly CommandArgument[] {
  checkDuplicates(writes);
  checkNumbers(writes);
  const args: CommandArgument[] = [];
  const section = <T>(rows: readonly T[] | undefined, add: (row: T) => void) => {
    args.push(rows?.length ?? 0);
    for (const row of rows ?? []) add(row);
  };
  const executions = writes.executions ?? [];
  const replaced = executions.filter((row) => row.version !== 1);
  const inserted = executions.filter((row) => row.version === 1);
  const seen = new Map(selected.executions.map((row) => [row.incarnation, row.version]));
  // Written rows are compared when they are replaced; one comparison is enough.
  const isSeen = (row: ExecutionRow) => seen.get(row.incarnation) === row.version - 1;
  const seenAndReplaced = new Set(replaced.filter(isSeen).map((row) => row.incarnation));
  section(
    selected.executions.filter((row) => !seenAndReplaced.has(row.incarnation)),
    ({ incarnation, version }) => args.push(incarnation, version),
  );
  section(selected.runs, ({ row, revision }) => args.push(row.id, revision));
  section(selected.newest, ({ key, incarnation }) => args.push(key, incarnation));
  section(writes.remove, (incarnation) => args.push(incarnation));
  args.push(seenAndReplaced.size);
  section([...replaced.filter(isSeen), ...replaced.filter((row) => !isSeen(row))], (row) =>
    args.push(row.incarnation, executionValue(row)),
  );
  section(inserted, (row) =>
    args.push(
      row.incarnation,
      executionValue(row),
      escapeText(row.key.archetype),
      keyText(row.key),
      row.createdAt,
    ),
  );
  const indexed = indexesOf(executions);
  section([...indexed], ([index, entries]) => args.push(index, entries.length / 2, ...entries));
  section(
    replaced.filter((row) => dueTime(row) === null),
    (row) => args.push(dueIndex(row), row.incarnation),
  );
  const withAttributes = executions.filter(({ attributes }) => attributes !== undefined);
  section(
    withAttributes.filter(({ attributes }) => Object.keys(attributes as Attributes).length > 0),
    ({ incarnation, attributes }) => args.push(incarnation, JSON.stringify(attributes)),
  );
  section(
    withAttributes.filter(({ attributes }) => Object.keys(attributes as Attributes).length === 0),
    ({ incarnation }) => args.push(incarnation),
  );
  section(writes.dropParts, (ref) => args.push(ref.incarnation, partField(ref)));
  section(writes.parts, (part) => args.push(part.incarnation, partField(part), partValue(part)));
  section(writes.slots, (slot) =>
    args.push(slot.incarnation, slot.nominal, escapeText(slot.cause), slotMember(slot)),
  );
  section(writes.runs, (run) => args.push(run.id, runBody(run)));
  section(writes.newRuns, (run) => args.push(run.id, runBody(run), run.createdAt));
  section(writes.removeRuns, (id) => args.push(id));
  section(writes.newEvents, (event) => args.push(...eventNames(event), eventValue(event)));
  section(writes.events, (event) => args.push(...eventNames(event), eventValue(event)));
  section(writes.dropLogs, ({ runId, beforeAttempt }) => args.push(runId, attemptText(beforeAttempt)));
  section(writes.logs, (row) => args.push(row.runId, logMember(row)));
  section(writes.audit, (row) => args.push(targetText(row.namespace, row.target), row.at, auditValue(row)));
  args.push(selected.putOffUntil);
  section(untouched(selected.putOff, writes), ({ index, member, at }) => args.push(index, member, at));
  const change = changeOf(writes, []);
  args.push(changeText(origin, change), change === null ? '0' : '1');
  checkSize(writes, args);
  return args;
}

/** Score and member in turn, by sorted set. */
function indexesOf(executions: readonly ExecutionWrite[]): ReadonlyMap<string, CommandArgument[]> {
  const indexes = new Map<string, CommandArgument[]>();
  const add = (index: string, score: number, member: string) => {
    const entries = indexes.get(index);
    if (entries === undefined) indexes.set(index, [score, member]);
    else entries.push(score, member);
  };
  for (const row of executions) {
    const due = dueTime(row);
    if (due !== null) add(dueIndex(row), due, row.incarnation);
    if (row.status === 'closed' && row.closedAt !== null) add('closed', row.closedAt, row.incarnation);
  }
  return indexes;
}

function dueIndex({ key }: ExecutionRow): string {
  return `due:${escapeText(key.archetype)}`;
}

/** Postponed rows that are not written: only those must be released, the others get new times. */
function untouched(putOff: readonly PutOff[], writes: Writes): readonly PutOff[] {
  if (putOff.length === 0) return putOff;
  const written = new Set<string>(writes.remove);
  for (const row of writes.executions ?? []) written.add(row.incarnation);
  for (const run of writes.runs ?? []) written.add(run.id);
  return putOff.filter(({ member }) => !written.has(member));
}

const noChange: CommittedChange = { keys: [], wakeAt: null, queues: [], cancelledRuns: [] };

function changeText(origin: string, change: CommittedChange | null): string {
  const { keys, ...rest } = change ?? noChange;
  const flat = keys.flatMap(({ namespace, archetype, id }) => [namespace, archetype, id]);
  return `${origin}\0${JSON.stringify({ ...rest, keys: flat })}`;
}

function checkDuplicates(writes: Writes): void {
  const twice = (what: string) => new StoreError('conflict', `${what} is written twice in one commit`);
  const incarnations = new Set<string>();
  const openKeys = new Set<string>();
  for (const row of writes.executions ?? []) {
    if (incarnations.has(row.incarnation)) throw twice(`execution ${row.incarnation}`);
    incarnations.add(row.incarnation);
    if (row.version !== 1) continue;
    const key = keyText(row.key);
    if (openKeys.has(key)) throw twice(`${row.key.archetype} ${JSON.stringify(row.key.id)}`);
    if (row.status === 'open') openKeys.add(key);
  }
  const parts = new Set<string>();
  for (const part of writes.parts ?? []) {
    const key = partKey(part);
    if (parts.has(key)) throw twice(`part ${part.name}@${part.stamp} of ${part.incarnation}`);
    parts.add(key);
  }
  checkDistinct(writes.newRuns ?? []);
  const runs = new Set<string>();
  for (const { id } of writes.runs ?? []) {
    if (runs.has(id)) throw twice(`run ${id}`);
    runs.add(id);
  }
  const events = new Set<string>();
  for (const list of [writes.newEvents, writes.events]) {
    for (const event of list ?? []) {
      const key = eventKey(event);
      if (events.has(key)) throw twice(`event ${event.id} of topic ${event.topic}`);
      events.add(key);
    }
  }
}

/** The script would stop at a score that is not a number, with half of its writes done. */
function checkNumbers(writes: Writes): void {
  const check = (numbers: readonly (number | null)[], whose: string) => {
    if (numbers.every((each) => each === null || Number.isFinite(each))) return;
    throw new StoreError('conflict', `${whose} has a number that is not finite`);
  };
  for (const { incarnation, version, wakeAt, createdAt, closedAt } of writes.executions ?? [])
    check([version, wakeAt, createdAt, closedAt], `execution ${incarnation}`);
  for (const { incarnation, nominal, until, at } of writes.slots ?? [])
    check([nominal, until, at], `a slot of ${incarnation}`);
  for (const list of [writes.newEvents, writes.events]) {
    for (const { id, sequence, at, changedAt, attempt } of list ?? [])
      check([sequence, at, changedAt, attempt], `event ${id}`);
  }
  for (const list of [writes.newRuns, writes.runs]) {
    for (const { id, priority, availableAt, checkAt, finishedAt } of list ?? [])
      check([priority, availableAt, checkAt, finishedAt], `run ${id}`);
  }
}

function checkSize(writes: Writes, args: readonly CommandArgument[]): void {
  let rows = 0;
  for (const list of Object.values(writes)) rows += list?.length ?? 0;
  let characters = 0;
  for (const each of args) characters += typeof each === 'string' ? each.length : 8;
  if (rows <= mostRows && characters <= mostCharacters) return;
  throw new StoreError(
    'conflict',
    `a commit of ${rows} rows and ${characters} characters is too large for one script (at most ${mostRows} and ${mostCharacters}): take smaller steps`,
  );
}
