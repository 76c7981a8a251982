/** The statements of one schema. */
import { EventRows } from './event-rows.ts';
import { ExecutionRows } from './execution-rows.ts';
import { JournalRows } from './journal-rows.ts';
import { LogRows } from './log-rows.ts';
import { PartRows } from './part-rows.ts';
import { RunRows } from './run-rows.ts';
import { SlotRows } from './slot-rows.ts';

export class Tables {
  /** The quoted schema name, as statements contain it. */
  readonly schema: string;
  readonly executions: ExecutionRows;
  readonly parts: PartRows;
  readonly slots: SlotRows;
  readonly runs: RunRows;
  readonly logs: LogRows;
  readonly events: EventRows;
  readonly journals: JournalRows;

  constructor(schema: string) {
    this.schema = `"${schema}"`;
    this.executions = new ExecutionRows(this.schema);
    this.parts = new PartRows(this.schema);
    this.slots = new SlotRows(this.schema);
    this.runs = new RunRows(this.schema);
    this.logs = new LogRows(this.schema);
    this.events = new EventRows(this.schema);
    this.journals = new JournalRows(this.schema);
  }
}
