/** What has become of a workflow, in the words and numbers of the wire. */
import type { RunOutcome, RunRow } from 'carillon/internal/store';

/** By number; 0 is "unspecified". Two of them no run of ours ever has. */
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

const statusOfOutcome: Readonly<Record<RunOutcome, WorkflowStatus>> = {
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
  terminated: 'Terminated',
  timedOut: 'TimedOut',
};

export function statusOf({ outcome }: Pick<RunRow, 'outcome'>): WorkflowStatus {
  return outcome === null ? 'Running' : statusOfOutcome[outcome];
}

export function statusNumber(status: WorkflowStatus): number {
  return statusNames.indexOf(status) + 1;
}

/** The outcomes with this status; empty for a running one. */
export function outcomesOf(status: WorkflowStatus): readonly RunOutcome[] {
  return (Object.keys(statusOfOutcome) as RunOutcome[]).filter(
    (outcome) => statusOfOutcome[outcome] === status,
  );
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
