/** Retention: a script for each kind of row, limited in rows, so that other commands run in between. */
import { encodeCursor } from '../cursor.ts';
import type { Retention, Swept } from '../store.ts';
import type { CommandArgument, Connection } from './connection.ts';
import { positionText } from './listing.ts';
import type { ScriptName } from './scripts.ts';
import { keyOf, optionalNumber } from './text.ts';

/** Executions per call of the walk; nearly all have no surplus and cost a few microseconds each. */
const executionsPerCall = 50;

export class Sweeper {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async sweep(retention: Retention): Promise<Swept> {
    const { limit, closedBefore, runsFinishedBefore, finishedRuns, eventsBefore, auditBefore } = retention;
    const run = (script: ScriptName, args: readonly CommandArgument[]) =>
      this.#connection.run<number>(script, args);
    let rows = 0;
    let next: string | null = null;
    if (closedBefore !== undefined) rows += await run('sweep-closed', [closedBefore, limit]);
    if (isWalkAskedFor(retention)) {
      const walked = await this.#walk(retention);
      rows += walked.rows;
      next = walked.next;
    }
    if (runsFinishedBefore !== undefined) rows += await run('sweep-runs', [runsFinishedBefore, limit]);
    if (finishedRuns !== undefined && finishedRuns.length > 0) rows += await run('forget-runs', finishedRuns);
    if (eventsBefore !== undefined) rows += await run('sweep-events', [eventsBefore, limit]);
    if (auditBefore !== undefined) rows += await run('sweep-journal', [auditBefore, limit]);
    return { rows, next };
  }

  async #walk(retention: Retention): Promise<Swept> {
    const { after, limit, slotsBefore, slotsPerExecution, runsPerOwner, partsPerName, countedBefore } =
      retention;
    const args: readonly CommandArgument[] = [
      after === undefined ? '' : positionText(after),
      Math.min(limit, executionsPerCall),
      limit,
      ...[slotsBefore, slotsPerExecution, runsPerOwner, partsPerName, countedBefore].map((each) =>
        optionalNumber(each ?? null),
      ),
    ];
    const [rows, last, isAtEnd] = await this.#connection.run<[number, string, number]>('sweep-walk', args);
    return { rows, next: isAtEnd === 1 ? null : cursorOf(last) };
  }
}

function isWalkAskedFor({ slotsBefore, slotsPerExecution, runsPerOwner, partsPerName }: Retention): boolean {
  return [slotsBefore, slotsPerExecution, runsPerOwner, partsPerName].some((each) => each !== undefined);
}

/** The cursor after an entry of the index; the start when not even the first execution was finished. */
function cursorOf(entry: string): string {
  if (entry === '') return encodeCursor(['', '', '', 0]);
  const [namespace, archetype, id, sequence] = entry.split('\0') as [string, string, string, string];
  const key = keyOf(`${namespace}\0${archetype}\0${id}`);
  return encodeCursor([key.namespace, key.archetype, key.id, Number(sequence)]);
}
