/** Retention, in small transactions with the event loop free to turn between them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../../base/time.ts';
import type { Retention } from '../store.ts';
import type { Connection } from './connection.ts';
import type { Tables } from './tables.ts';

/** Executions whose ledgers are looked into at once: about 10 ms. */
const executionsAtOnce = 5000;

export class Sweeper {
  readonly #connection: Connection;
  readonly #tables: Tables;

  constructor(connection: Connection, tables: Tables) {
    this.#connection = connection;
    this.#tables = tables;
  }

  async sweep(retention: Retention): Promise<number> {
    const { limit, closedBefore, slotsBefore, runsFinishedBefore, eventsBefore, auditBefore } = retention;
    const { runs, journals } = this.#tables;
    let swept = 0;
    if (closedBefore !== undefined) swept += await this.#inTurn(() => this.#sweepClosed(closedBefore, limit));
    if (slotsBefore !== undefined) swept += await this.#sweepSlots(slotsBefore, limit);
    if (runsFinishedBefore !== undefined) {
      swept += await this.#inTurn(() => runs.sweep(runsFinishedBefore, limit));
    }
    if (eventsBefore !== undefined) {
      swept += await this.#inTurn(() => journals.sweep('events', eventsBefore, limit));
    }
    if (auditBefore !== undefined) {
      swept += await this.#inTurn(() => journals.sweep('audit', auditBefore, limit));
    }
    return swept;
  }

  /** An execution goes after the last of its slots, which count against the bound like any others. */
  #sweepClosed(before: Instant, limit: number): number {
    const { executions, slots } = this.#tables;
    executions.begin();
    let sweptSlots = 0;
    let swept = 0;
    for (const { rowId, incarnation } of executions.closedBefore(before, limit)) {
      sweptSlots += slots.sweepExecution(rowId, limit - sweptSlots);
      if (slots.hasAny(rowId)) break;
      executions.remove(incarnation);
      swept++;
    }
    return swept + sweptSlots;
  }

  async #sweepSlots(before: Instant, limit: number): Promise<number> {
    const last = (this.#connection.get('select max(row) from executions')?.[0] ?? 0) as number;
    let swept = 0;
    for (let from = 0; from <= last && swept < limit; from += executionsAtOnce) {
      const rows = { from, to: from + executionsAtOnce };
      swept += await this.#inTurn(() => this.#tables.slots.sweepOld(rows, before, limit - swept));
    }
    return swept;
  }

  async #inTurn(work: () => number): Promise<number> {
    await nextTurn();
    this.#connection.run('begin immediate');
    try {
      const swept = work();
      this.#connection.run('commit');
      return swept;
    } catch (error) {
      this.#connection.rollback();
      throw error;
    }
  }
}
