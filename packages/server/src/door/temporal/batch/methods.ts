/** Batch operations: cancel, terminate or delete all workflows that match a query, or a list of workflows. */
import { isServiceError } from 'carillon/internal/base';
import type { BatchWork, JobDocument, Services } from 'carillon/internal/service';
import type { Call, Methods } from '../method.ts';
import { originDoor } from '../origin.ts';
import { toTimestamp } from '../proto-time.ts';
import { badRequest } from '../status.ts';
import { customAttributes } from '../workflows/custom-attributes.ts';
import type { Execution } from '../workflows/find-workflow.ts';
import { findWorkflow } from '../workflows/find-workflow.ts';
import { workflowQuery } from '../workflows/workflow-query.ts';

export type BatchDeps = Pick<Services, 'batches' | 'runs' | 'runSearch' | 'namespaces' | 'attributes'>;

interface StartRequest {
  readonly namespace: string;
  readonly visibilityQuery: string;
  readonly jobId: string;
  readonly reason: string;
  readonly executions?: readonly Execution[] | null;
  readonly terminationOperation?: { readonly identity?: string | null } | null;
  readonly cancellationOperation?: { readonly identity?: string | null } | null;
  readonly deletionOperation?: { readonly identity?: string | null } | null;
}

interface Order {
  readonly operation: 'terminate' | 'cancel' | 'delete';
  readonly query: string;
  readonly executions: readonly Execution[];
}

interface Named {
  readonly namespace: string;
  readonly jobId: string;
}

const operationTypes: Readonly<Record<Order['operation'], number>> = { terminate: 1, cancel: 2, delete: 4 };
const states = { running: 1, completed: 2, failed: 3 } as const;
/** The number of workflows that are changed concurrently. */
const atOnce = 20;
const mostExecutions = 1000;

export function batchMethods({ batches, runs, runSearch, namespaces, attributes }: BatchDeps): Methods {
  /** The ids of the runs of a batch; null for a listed workflow that does not exist. */
  const targets = async (
    namespace: string,
    { operation, query, executions }: Order,
  ): Promise<readonly (string | null)[]> => {
    const ids: (string | null)[] = [];
    if (query === '') {
      for (const execution of executions) {
        const found = await findWorkflow(runSearch, namespace, execution).catch(nullIfNotFound);
        ids.push(found?.run.id ?? null);
      }
      return ids;
    }
    const types = await attributes.typesOf(namespace);
    const { filter } = workflowQuery(query, types);
    const { signal } = new AbortController();
    await runSearch.forEach(
      { namespace, filter, custom: customAttributes(types), signal },
      ({ run, closedAt }) => {
        if (closedAt === null || operation === 'delete') ids.push(run.id);
      },
    );
    return ids;
  };

  const workOn =
    (namespace: string): BatchWork =>
    async (job, progress) => {
      const order = job.order as Order;
      const ids = await targets(namespace, order);
      const by = { actor: job.identity, door: originDoor };
      let complete = 0;
      let failed = 0;
      const isGoneFine = order.operation === 'delete';
      const workOnOne = async (id: string | null) => {
        try {
          const done =
            id === null
              ? null
              : await runs[order.operation]({ namespace, id }, job.reason, by).catch(nullIfNotFound);
          if (done !== null || isGoneFine) complete += 1;
          else failed += 1;
        } catch {
          failed += 1;
        }
      };
      for (let from = 0; from < ids.length; from += atOnce) {
        await Promise.all(ids.slice(from, from + atOnce).map(workOnOne));
        if (await progress({ total: ids.length, complete, failed })) return;
      }
    };

  return {
    StartBatchOperation: async (request: StartRequest, call) => {
      const { namespace, jobId, reason, visibilityQuery: query } = request;
      await namespaces.require(namespace);
      if (jobId === '') throw badRequest('JobId is not set on request.');
      if (reason === '') throw badRequest('Reason is not set on request.');
      const executions = request.executions ?? [];
      if ((query === '') === (executions.length === 0)) {
        throw badRequest('batch query and executions are mutually exclusive, and one of them is needed');
      }
      if (executions.length > mostExecutions)
        throw badRequest(`at most ${mostExecutions} executions in one batch`);
      const operation = operationOf(request);
      // An invalid query is refused now and not in the background.
      if (query !== '') workflowQuery(query, await attributes.typesOf(namespace));
      const named = executions.map(({ workflowId, runId }) => ({
        workflowId: workflowId ?? '',
        runId: runId ?? '',
      }));
      const order: Order = { operation, query, executions: named };
      const job = { order, identity: identityOf(request, call), reason };
      await batches.start({ namespace, id: jobId }, job, workOn(namespace));
      return {};
    },

    DescribeBatchOperation: async ({ namespace, jobId }: Named) => {
      await namespaces.require(namespace);
      const { data, id } = await batches.get(namespace, jobId, workOn(namespace));
      const { total, complete, failed, identity, reason } = data;
      return {
        ...summary({ data, id }),
        totalOperationCount: total,
        completeOperationCount: complete,
        failureOperationCount: failed,
        identity,
        reason,
        query: (data.order as Order).query,
      };
    },

    ListBatchOperations: async ({ namespace }: { readonly namespace: string }) => {
      await namespaces.require(namespace);
      return { operationInfo: (await batches.list(namespace, workOn(namespace))).map(summary) };
    },

    StopBatchOperation: async ({ namespace, jobId }: Named) => {
      await namespaces.require(namespace);
      await batches.stop(namespace, jobId);
      return {};
    },
  };
}

function summary({ id, data }: Pick<JobDocument, 'id' | 'data'>) {
  const { state, startedAt, closedAt, order } = data;
  return {
    jobId: id,
    state: states[state],
    startTime: toTimestamp(startedAt),
    ...(closedAt === null ? {} : { closeTime: toTimestamp(closedAt) }),
    operationType: operationTypes[(order as Order).operation],
  };
}

function nullIfNotFound(error: unknown): null {
  if (isServiceError(error) && error.code === 'notFound') return null;
  throw error;
}

function operationOf(request: StartRequest): Order['operation'] {
  const { terminationOperation, cancellationOperation, deletionOperation } = request;
  if (terminationOperation) return 'terminate';
  if (cancellationOperation) return 'cancel';
  if (deletionOperation) return 'delete';
  throw badRequest('this server has batches that cancel, terminate or delete workflows, and no others');
}

function identityOf(request: StartRequest, call: Call): string {
  const { terminationOperation, cancellationOperation, deletionOperation } = request;
  const said = (terminationOperation ?? cancellationOperation ?? deletionOperation)?.identity ?? '';
  const { actor } = call.identity;
  return actor === 'local' && said !== '' ? said : actor;
}
