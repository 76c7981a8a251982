/** A run of a schedule, seen as a workflow. The workflow's run id is the run's id. */
import type { SearchedRun } from 'carillon/internal/service';

export type Workflow = SearchedRun;

/** Whether a cancellation was requested; a terminated run is not asked. */
export function isCancelRequested({ run }: Workflow): boolean {
  return run.cancel === 'cancel';
}

/** Number of events in the history: the start, a request to cancel, and the end. */
export function historyLength(workflow: Workflow): number {
  return 1 + Number(isCancelRequested(workflow)) + Number(workflow.closedAt !== null);
}

/** How often the run's state changed: its creation, its attempts, a request to cancel, and its end. */
export function stateTransitions(workflow: Workflow): number {
  return historyLength(workflow) + workflow.run.attempt;
}

/** The id of the request that started the workflow by hand. */
export function startRequestId({ options }: Workflow): string | undefined {
  return options.requestId?.split('\0').at(-1);
}

const started = { eventType: 1, eventId: 1 };

/** `WorkflowExecutionExtendedInfo.request_id_infos`: which event each known request led to. */
export function requestIdInfos(workflow: Workflow): object {
  const requestId = startRequestId(workflow);
  return requestId === undefined ? {} : { [requestId]: started };
}
