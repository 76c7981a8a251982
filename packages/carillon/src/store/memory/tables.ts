/** The rows of one store. */
import type { AuditRow } from '../records.ts';
import { ExecutionRows } from './execution-rows.ts';
import { Journal } from './journal-rows.ts';
import { RunRows } from './run-rows.ts';

export class Tables {
  readonly executions = new ExecutionRows();
  readonly runs = new RunRows();
  readonly audit = new Journal<AuditRow>();
}
