/** The status of a workflow, by its names and numbers on the wire. */
import type { RunStatus } from 'carillon/internal/service';

/** Names by number; 0 means "unspecified". No run of Carillon is ever continued as new or paused. */
export const statusNames = [
  'Running',
  'Completed',
  'Failed',
  'Canceled',
  'Terminated',
  'ContinuedAsNew',
  'TimedOut',
  'Paused',
] as const;
export type WorkflowStatus = (typeof statusNames)[number];

const wireStatuses: Readonly<Record<RunStatus, WorkflowStatus>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  terminated: 'Terminated',
  timedOut: 'TimedOut',
};

export function wireStatus(status: RunStatus): WorkflowStatus {
  return wireStatuses[status];
}

export function statusNumber(status: RunStatus): number {
  return statusNames.indexOf(wireStatuses[status]) + 1;
}

/** The run status for a workflow status. A workflow status that no run can have becomes a word that matches no run. */
export function runStatus(status: WorkflowStatus): string {
  const [found] = Object.entries(wireStatuses).find(([, wire]) => wire === status) ?? [];
  return found ?? status;
}

/** `Running`, `WORKFLOW_EXECUTION_STATUS_RUNNING` or 1. */
export function readStatus(said: string | number | boolean): WorkflowStatus | undefined {
  if (typeof said === 'number') return statusNames[said - 1];
  const word = String(said).replace(/^WORKFLOW_EXECUTION_STATUS_/, '');
  const isLong = word !== said;
  return statusNames.find((name) => (isLong ? shouted(name) === word : name === word));
}

function shouted(name: string): string {
  return name.replace(/(?!^)([A-Z])/g, '_$1').toUpperCase();
}
