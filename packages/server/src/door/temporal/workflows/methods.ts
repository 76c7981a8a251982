/** The remote procedures about workflows that schedules have started. */
import type { DoneBy, SearchPosition, Services } from 'carillon/internal/service';
import type { Call, Methods } from '../method.ts';
import { originDoor } from '../origin.ts';
import { readPayload } from '../payload.ts';
import { toDuration, toTimestamp } from '../proto-time.ts';
import type { Payload } from '../protocol.ts';
import { attributePayload } from '../search-attributes/payload.ts';
import { readPageToken, writePageToken } from '../visibility/page-token.ts';
import { queryError } from '../visibility/query-error.ts';
import { customAttributes } from './custom-attributes.ts';
import type { Execution } from './find-workflow.ts';
import { alreadyClosed, findWorkflow, workflowNotFound } from './find-workflow.ts';
import { historyOf, historySize } from './history.ts';
import { historyMethods } from './history-methods.ts';
import { workflowInfo } from './info.ts';
import { runIdOf } from './run-uuid.ts';
import { startsOf } from './start.ts';
import type { WorkflowStatus } from './status.ts';
import { statusNames, wireStatus } from './status.ts';
import { expiration, timeoutsOf } from './timeouts.ts';
import type { WorkflowTuning } from './tuning.ts';
import { defaultWorkflowTuning } from './tuning.ts';
import type { Workflow } from './workflow.ts';
import { isCancelRequested, requestIdInfos } from './workflow.ts';
import { workflowQuery } from './workflow-query.ts';

export interface WorkflowDeps extends Pick<Services, 'runs' | 'runSearch' | 'namespaces' | 'attributes'> {
  readonly tuning?: Partial<WorkflowTuning>;
  /** Aborts when the server stops, which ends long polls. */
  readonly leaving?: AbortSignal;
}

interface QueryRequest {
  readonly namespace: string;
  readonly query: string;
}

interface StopRequest {
  readonly namespace: string;
  readonly workflowExecution?: Execution | null;
  readonly firstExecutionRunId: string;
  /** The identity that the client gives itself. */
  readonly identity: string;
  readonly reason: string;
}

interface TerminateRequest extends StopRequest {
  readonly details?: { readonly payloads?: readonly Payload[] | null } | null;
}

type DeleteRequest = Pick<StopRequest, 'namespace' | 'workflowExecution'>;

const largestPage = 1000;

export function workflowMethods(deps: WorkflowDeps): Methods {
  const { runs, runSearch, namespaces, attributes, leaving } = deps;
  const tuning = { ...defaultWorkflowTuning, ...deps.tuning };

  const search = async ({ namespace, query }: QueryRequest, { signal }: Call) => {
    await namespaces.require(namespace);
    const types = await attributes.typesOf(namespace);
    const { filter, byStatus } = workflowQuery(query, types);
    const what = { namespace, filter, custom: customAttributes(types), signal };
    return { what, types, byStatus };
  };

  /** The run to stop. A run that has ended is reported as not found, as in Temporal. */
  const running = async (request: StopRequest): Promise<Workflow> => {
    const { namespace, workflowExecution, firstExecutionRunId } = request;
    await namespaces.require(namespace);
    const workflow = await findWorkflow(runSearch, namespace, workflowExecution);
    const { run, workflowId } = workflow;
    // Carillon never continues a workflow as new, so its first run is its only run.
    if (firstExecutionRunId !== '' && runIdOf(firstExecutionRunId) !== run.id) {
      throw workflowNotFound(workflowId, firstExecutionRunId);
    }
    return workflow;
  };

  return {
    ...historyMethods({
      ...deps,
      tuning,
      watch: runSearch.watch(leaving === undefined ? {} : { leaving }),
    }),

    DescribeWorkflowExecution: async (request: {
      readonly namespace: string;
      readonly execution?: Execution | null;
    }) => {
      const { namespace, execution } = request;
      await namespaces.require(namespace);
      const workflow = await findWorkflow(runSearch, namespace, execution);
      const { run, startedAt } = workflow;
      const start = (await startsOf(runSearch, [workflow]))(workflow);
      const types = await attributes.typesOf(namespace);
      const { executionMs, runMs, taskMs } = timeoutsOf(start);
      const executionEnd = expiration(startedAt, executionMs);
      const runEnd = expiration(startedAt, runMs);
      return {
        executionConfig: {
          taskQueue: { name: start?.taskQueue?.name ?? run.queue, kind: 1 },
          workflowExecutionTimeout: toDuration(executionMs),
          workflowRunTimeout: toDuration(runMs),
          defaultWorkflowTaskTimeout: toDuration(taskMs),
          ...(start?.userMetadata ? { userMetadata: start.userMetadata } : {}),
        },
        workflowExecutionInfo: {
          ...workflowInfo(workflow, start, types),
          historySizeBytes: historySize(historyOf(workflow, start, types)),
        },
        workflowExtendedInfo: {
          cancelRequested: isCancelRequested(workflow),
          originalStartTime: toTimestamp(startedAt),
          requestIdInfos: requestIdInfos(workflow),
          ...(executionEnd === undefined ? {} : { executionExpirationTime: executionEnd }),
          ...(runEnd === undefined ? {} : { runExpirationTime: runEnd }),
        },
      };
    },

    ListWorkflowExecutions: async (
      request: QueryRequest & { readonly pageSize: number; readonly nextPageToken?: Uint8Array | null },
      call,
    ) => {
      const { what, types, byStatus } = await search(request, call);
      if (byStatus) throw queryError('GROUP BY is not supported in lists, only in counts');
      const { pageSize, nextPageToken } = request;
      const limit = pageSize > 0 ? Math.min(pageSize, largestPage) : largestPage;
      const from = readPosition(nextPageToken);
      const found = await runSearch.find({ ...what, limit, ...(from === undefined ? {} : { from }) });
      const startOf = await startsOf(runSearch, found.items);
      return {
        executions: found.items.map((workflow) => workflowInfo(workflow, startOf(workflow), types)),
        ...(found.next === null ? {} : { nextPageToken: writePosition(found.next) }),
      };
    },

    CountWorkflowExecutions: async (request: QueryRequest, call) => {
      const { what, byStatus } = await search(request, call);
      const counts = new Map<WorkflowStatus, number>();
      await runSearch.forEach(what, ({ status }) => {
        const wire = wireStatus(status);
        counts.set(wire, (counts.get(wire) ?? 0) + 1);
      });
      const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
      if (!byStatus) return { count };
      const groups = statusNames
        .filter((status) => counts.has(status))
        .map((status) => ({
          groupValues: [attributePayload(status, 'Keyword')],
          count: counts.get(status) as number,
        }));
      return { count, groups };
    },

    RequestCancelWorkflowExecution: async (request: StopRequest, call) => {
      const { run } = await running(request);
      const { namespace, reason } = request;
      const why = reason === '' ? 'cancelled' : reason;
      // A run that has ended needs no cancellation, and saying so again is not an error.
      await runs.cancel({ namespace, id: run.id }, why, doneBy(request, call));
      return {};
    },

    TerminateWorkflowExecution: async (request: TerminateRequest, call) => {
      const { run } = await running(request);
      const { namespace, reason } = request;
      const payloads = request.details?.payloads ?? [];
      const by = {
        ...doneBy(request, call),
        ...(payloads.length === 0 ? {} : { details: payloads.map(readPayload) }),
      };
      const stopped = await runs.terminate({ namespace, id: run.id }, reason, by);
      if (stopped === 'done' || stopped === 'notFound') throw alreadyClosed();
      return {};
    },

    DeleteWorkflowExecution: async (request: DeleteRequest, call) => {
      const { namespace, workflowExecution } = request;
      await namespaces.require(namespace);
      const { run } = await findWorkflow(runSearch, namespace, workflowExecution);
      await runs.delete({ namespace, id: run.id }, 'deleted', {
        actor: call.identity.actor,
        door: originDoor,
      });
      return {};
    },
  };
}

/** Without API keys every caller is `local`; then the identity that the client gives says more. */
function doneBy({ identity }: StopRequest, call: Call): DoneBy {
  const { actor } = call.identity;
  return { actor: actor === 'local' && identity !== '' ? identity : actor, door: originDoor };
}

function writePosition({ source, after, lastRun }: SearchPosition): Uint8Array {
  return writePageToken([source, after, lastRun]);
}

function readPosition(token: Uint8Array | null | undefined): SearchPosition | undefined {
  const parts = readPageToken(token, ['string', 'string', 'string']);
  if (parts === undefined) return undefined;
  const [source = '', after = '', lastRun = ''] = parts;
  return { source, after, lastRun };
}
