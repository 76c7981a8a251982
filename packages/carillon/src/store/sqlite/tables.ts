/** The tables of one connection. */
import type { ExecutionKey } from '../records.ts';
import type { Connection } from './connection.ts';
import { EventRows } from './event-rows.ts';
import { ExecutionRows } from './execution-rows.ts';
import { JournalRows } from './journal-rows.ts';
import { Listing } from './listing.ts';
import { LogRows } from './log-rows.ts';
import { PartRows } from './part-rows.ts';
import { RunPages } from './run-pages.ts';
import { RunRows } from './run-rows.ts';
import { SlotRows } from './slot-rows.ts';

export class Tables {
  readonly executions: ExecutionRows;
  readonly listing: Listing;
  readonly parts: PartRows;
  readonly slots: SlotRows;
  readonly runs: RunRows;
  readonly runPages: RunPages;
  readonly logs: LogRows;
  readonly events: EventRows;
  readonly journals: JournalRows;

  constructor(connection: Connection) {
    this.executions = new ExecutionRows(connection);
    this.listing = new Listing(connection);
    this.parts = new PartRows(connection, this.executions);
    this.slots = new SlotRows(connection, this.executions);
    this.runs = new RunRows(connection);
    this.runPages = new RunPages(connection);
    this.logs = new LogRows(connection);
    this.events = new EventRows(connection, this.executions);
    this.journals = new JournalRows(connection);
  }

  /** Removes an execution with everything that belongs to it; returns its key. */
  removeExecution(incarnation: string): ExecutionKey | undefined {
    const rowId = this.executions.findRowId(incarnation);
    if (rowId === undefined) return undefined;
    this.slots.sweepExecution(rowId, Number.MAX_SAFE_INTEGER);
    this.events.sweepExecution(rowId, Number.MAX_SAFE_INTEGER);
    return this.executions.remove(incarnation);
  }
}
