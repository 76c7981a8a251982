/** What has become of a workflow, in the words and numbers of the wire. */
import type { RunStatus } from 'carillon/internal/service';

/** By number; 0 is "unspecified". No run of ours is ever continued as new or paused. */
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

/** What a run with this status has; a status that no run has becomes a word that matches none. */
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
