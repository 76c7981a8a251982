/** The rows of one store. */
import type { AuditRow } from '../records.ts';
import { ExecutionRows } from './execution-rows.ts';
import { Journal } from './journal-rows.ts';
import { LogRows } from './log-rows.ts';
import { RunRows } from './run-rows.ts';

export class Tables {
  readonly executions = new ExecutionRows();
  readonly logs = new LogRows();
  readonly runs = new RunRows((id) => this.logs.forget(id));
  readonly audit = new Journal<AuditRow>();
}
