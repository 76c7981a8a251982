/** Retention, in small transactions between which the event loop runs. */
import { nextTurn } from '../../base/next-turn.ts';
import type { Instant } from '../../base/time.ts';
import type { Retention, Swept } from '../store.ts';
import type { Connection } from './connection.ts';
import { ExecutionWalk } from './execution-walk.ts';
import type { Tables } from './tables.ts';

export class Sweeper {
  readonly #connection: Connection;
  readonly #tables: Tables;

  constructor(connection: Connection, tables: Tables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  async sweep(retention: Retention): Promise<Swept> {
    const { limit, closedBefore, runsFinishedBefore, finishedRuns, eventsBefore, auditBefore } = retention;
    const { runs, events, journals } = this.#tables;
    let rows = 0;
    let next: string | null = null;
    if (closedBefore !== undefined) rows += await this.#inTurn(() => this.#sweepClosed(closedBefore, limit));
    if (ExecutionWalk.isAskedFor(retention)) {
      const walk = new ExecutionWalk(this.#connection, this.#tables, retention);
      const walked = await this.#inTurn(() => walk.run());
      rows += walked.rows;
      next = walked.next;
    }
    if (runsFinishedBefore !== undefined) {
      rows += await this.#inTurn(() => runs.sweep(runsFinishedBefore, limit));
    }
    if (finishedRuns !== undefined) rows += await this.#inTurn(() => runs.forget(finishedRuns));
    if (eventsBefore !== undefined) {
      rows += await this.#inTurn(() => events.sweep(eventsBefore, limit));
    }
    if (auditBefore !== undefined) {
      rows += await this.#inTurn(() => journals.sweep(auditBefore, limit));
    }
    return { rows, next };
  }

  /** An execution is removed after the last of its slots and events, which count against the limit like any others. */
  #sweepClosed(before: Instant, limit: number): number {
    const { executions, slots, events } = this.#tables;
    executions.begin();
    let sweptSlots = 0;
    let sweptEvents = 0;
    let swept = 0;
    for (const { rowId, incarnation } of executions.closedBefore(before, limit)) {
      sweptSlots += slots.sweepExecution(rowId, limit - sweptSlots);
      sweptEvents += events.sweepExecution(rowId, limit - sweptEvents);
      if (slots.hasAny(rowId) || events.hasAny(rowId)) break;
      executions.remove(incarnation);
      swept++;
    }
    return swept + sweptSlots + sweptEvents;
  }

  async #inTurn<T>(work: () => T): Promise<T> {
    await nextTurn();
    this.#connection.begin();
    try {
      const swept = work();
      this.#connection.commit();
      return swept;
    } catch (error) {
      this.#connection.rollback();
      throw error;
    }
  }
}
