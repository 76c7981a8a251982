/**
 * The remote procedures that read histories. A page token holds the run and the number of events already sent, so that a
 * client that asks by workflow id keeps reading the same run even if a newer one has started since.
 */
import type { RunWatch } from 'carillon/internal/service';
import { searchedRun } from 'carillon/internal/service';
import type { Call, Methods } from '../method.ts';
import { readPageToken, writePageToken } from '../visibility/page-token.ts';
import type { Execution } from './find-workflow.ts';
import { findWorkflow } from './find-workflow.ts';
import { closeEvent, historyOf } from './history.ts';
import type { WorkflowDeps } from './methods.ts';
import { startsOf } from './start.ts';
import type { WorkflowTuning } from './tuning.ts';
import type { Workflow } from './workflow.ts';

interface HistoryRequest {
  readonly namespace: string;
  readonly execution?: Execution | null;
  readonly nextPageToken?: Uint8Array | null;
}

interface WaitingRequest extends HistoryRequest {
  readonly waitNewEvent: boolean;
  readonly historyEventFilterType: number;
}

const closeEventOnly = 2;

export interface HistoryDeps extends Pick<WorkflowDeps, 'runSearch' | 'namespaces' | 'attributes'> {
  readonly watch: RunWatch;
  readonly tuning: WorkflowTuning;
}

export function historyMethods({ runSearch, namespaces, attributes, watch, tuning }: HistoryDeps): Methods {
  const events = async (workflow: Workflow) => {
    const start = (await startsOf(runSearch, [workflow]))(workflow);
    return historyOf(workflow, start, await attributes.typesOf(workflow.run.namespace));
  };

  const find = async ({ namespace, execution, nextPageToken }: HistoryRequest) => {
    await namespaces.require(namespace);
    const [runId, seen = '0'] = readPageToken(nextPageToken, ['string', 'string']) ?? [];
    const workflowId = execution?.workflowId ?? '';
    const workflow = await findWorkflow(
      runSearch,
      namespace,
      runId === undefined ? execution : { workflowId, runId },
    );
    return { workflow, seen: Number(seen) };
  };

  const untilDone = async (workflow: Workflow, { signal }: Call): Promise<Workflow> => {
    const run = await watch.untilDone(workflow.run, { forMs: tuning.longPollMs, signal });
    return searchedRun(run) ?? workflow;
  };

  return {
    GetWorkflowExecutionHistory: async (request: WaitingRequest, call) => {
      const { waitNewEvent, historyEventFilterType } = request;
      const { workflow, seen } = await find(request);
      const onlyClose = historyEventFilterType === closeEventOnly;
      const isOpen = workflow.closedAt === null;
      // A client that has all events so far, or wants only the last one, waits for the next.
      const waits = waitNewEvent && isOpen && (onlyClose || seen > 0);
      const latest = waits ? await untilDone(workflow, call) : workflow;
      const close = closeEvent(latest);
      const found = onlyClose ? (close === undefined ? [] : [close]) : (await events(latest)).slice(seen);
      const more = waitNewEvent && latest.closedAt === null;
      return {
        history: { events: found },
        ...(more ? { nextPageToken: writePageToken([latest.run.id, String(onlyClose ? 0 : 1)]) } : {}),
      };
    },

    GetWorkflowExecutionHistoryReverse: async (request: HistoryRequest) => {
      const { workflow } = await find(request);
      return { history: { events: [...(await events(workflow))].reverse() } };
    },
  };
}
