/** Starts a workflow without a schedule: a run of the handler with the name of its type. */
import type { Instant } from 'carillon/internal/base';
import { addTime, isServiceError, ServiceError } from 'carillon/internal/base';
import type { RunOutcome, Services } from 'carillon/internal/service';
import { largestPayload } from 'carillon/internal/service';
import type { Payloads, WireFailure } from '../activities/conclusion.ts';
import { readFailure } from '../activities/conclusion.ts';
import type { ClusterTargets } from '../cluster-target.ts';
import { onCluster } from '../cluster-target.ts';
import { base64 } from '../fields.ts';
import type { Call, Methods } from '../method.ts';
import { originDoor } from '../origin.ts';
import { readArguments } from '../payload.ts';
import { readDuration } from '../proto-time.ts';
import type { Duration, WorkflowStart } from '../protocol.ts';
import { encode, workflowStartType } from '../protocol.ts';
import { tooLarge } from '../schedule-draft.ts';
import { badRequest } from '../status.ts';
import { checkLength, readWorkflowStart } from '../workflow-start.ts';
import { runUuid } from './run-uuid.ts';
import { statusNumber } from './status.ts';
import type { Workflow } from './workflow.ts';
import { startRequestId } from './workflow.ts';

export interface StartDeps
  extends Pick<Services, 'runs' | 'runSearch' | 'namespaces' | 'attributes' | 'now'> {
  readonly targets: ClusterTargets;
}

interface StartRequest extends WorkflowStart {
  readonly namespace: string;
  readonly requestId: string;
  readonly identity: string;
  readonly workflowIdReusePolicy: number;
  readonly workflowIdConflictPolicy: number;
  readonly continuedFailure?: WireFailure | null;
  readonly lastCompletionResult?: Payloads | null;
  readonly workflowStartDelay?: Duration | null;
  readonly completionCallbacks?: readonly object[] | null;
}

const failedOnly = 2;
const rejectDuplicate = 3;
const terminateIfRunning = 4;
const useExisting = 2;
const terminateExisting = 3;

const failures: ReadonlySet<RunOutcome> = new Set(['failed', 'cancelled', 'terminated', 'timedOut']);

export function startMethods(deps: StartDeps): Methods {
  const { runs, runSearch, namespaces, attributes, now, targets } = deps;
  return {
    StartWorkflowExecution: async (request: StartRequest, call) => {
      const { namespace, workflowId = '', requestId } = request;
      await namespaces.require(namespace);
      if (workflowId === '' || workflowId === null) throw badRequest('WorkflowId is not set on request.');
      if (requestId === '') throw badRequest('RequestId is not set on request.');
      checkLength('RequestId', requestId);
      if ((request.completionCallbacks ?? []).length > 0) {
        throw badRequest('callbacks are not supported: wait for the result, or ask for the history');
      }
      // The id reuse policy is for starts by hand; the other fields are checked like those of a schedule's workflow.
      const { workflowIdReusePolicy: _, ...fields } = request;
      const start = startFields(fields);
      const named = readWorkflowStart(start, await attributes.typesOf(namespace));
      const encoded = encode(workflowStartType, start);
      const target = targets[namespace];
      const action = target === undefined ? named : onCluster(named, encoded, { target, namespace });
      if (encoded.length > largestPayload) throw tooLarge();
      const before = await runSearch.get(namespace, { workflowId });
      const by = { actor: actorOf(request, call), door: originDoor };
      const decision = decide(request, before);
      if (decision === 'existing' && before !== undefined)
        return { runId: runUuid(before.run.id), started: false, status: statusNumber(before.status) };
      if (decision === 'refuse' && before !== undefined) throw alreadyStarted(before);
      if (decision === 'replace' && before !== undefined) {
        await runs.terminate(
          { namespace, id: before.run.id },
          'TerminateIfRunning WorkflowIdReusePolicy Policy',
          by,
        );
      }
      const delay = readDuration('WorkflowStartDelay', request.workflowStartDelay);
      const last = readArguments(request.lastCompletionResult?.payloads);
      try {
        const run = await runs.startAs(
          namespace,
          {
            id: workflowId,
            requestId: `${workflowId}\0${requestId}`,
            queue: action.queue,
            name: action.name,
            input: action.input,
            priority: action.priority,
            settings: action.settings,
            origin: { [originDoor]: base64(encoded) },
            ...(last === null ? {} : { lastResult: last }),
            ...(request.continuedFailure ? { lastFailure: readFailure(request.continuedFailure) } : {}),
            ...(delay === undefined ? {} : { at: addTime(now(), Math.max(0, delay)) as Instant }),
          },
          by,
        );
        return { runId: runUuid(run.id), started: true, status: statusNumber(run.outcome ?? 'running') };
      } catch (error) {
        if (!isServiceError(error) || error.reason !== 'RUN_ALREADY_STARTED') throw error;
        const holder = await runSearch.get(namespace, { workflowId });
        throw holder === undefined ? error : alreadyStarted(holder);
      }
    },
  };
}

type Decision = 'start' | 'existing' | 'replace' | 'refuse';

/** What a start does when its workflow id was used before. */
function decide(request: StartRequest, before: Workflow | undefined): Decision {
  if (before === undefined) return 'start';
  // A repeated request is answered like the first one, also when its workflow has ended since.
  if (before.options.requestId === `${before.workflowId}\0${request.requestId}`) return 'start';
  const { workflowIdReusePolicy: reuse, workflowIdConflictPolicy: conflict } = request;
  if (before.closedAt === null) {
    if (conflict === useExisting) return 'existing';
    return conflict === terminateExisting || reuse === terminateIfRunning ? 'replace' : 'refuse';
  }
  if (reuse === rejectDuplicate) return 'refuse';
  const hasFailed = before.run.outcome !== null && failures.has(before.run.outcome);
  return reuse === failedOnly && !hasFailed ? 'refuse' : 'start';
}

/** The fields that a scheduled start has too. */
function startFields(request: Omit<StartRequest, 'workflowIdReusePolicy'>): WorkflowStart {
  const { workflowId, workflowType, taskQueue, input, retryPolicy, cronSchedule, memo } = request;
  const { searchAttributes, header, userMetadata, versioningOverride, priority } = request;
  const { workflowExecutionTimeout, workflowRunTimeout, workflowTaskTimeout } = request;
  const given = {
    workflowId,
    workflowType,
    taskQueue,
    input,
    retryPolicy,
    cronSchedule,
    memo,
    searchAttributes,
    header,
    userMetadata,
    versioningOverride,
    priority,
    workflowExecutionTimeout,
    workflowRunTimeout,
    workflowTaskTimeout,
  };
  const entries = Object.entries(given).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return Object.fromEntries(entries) as WorkflowStart;
}

/** Without API keys every caller is `local`; then the identity that the client gives says more. */
function actorOf({ identity }: StartRequest, call: Call): string {
  return call.identity.actor === 'local' && identity !== '' ? identity : call.identity.actor;
}

function alreadyStarted(workflow: Workflow): ServiceError {
  const { run } = workflow;
  const runId = runUuid(run.id);
  return new ServiceError({
    code: 'alreadyExists',
    reason: 'ALREADY_EXISTS',
    message: `Workflow execution is already running. WorkflowId: ${run.alias ?? ''}, RunId: ${runId}.`,
    cause: { startRequestId: startRequestId(workflow) ?? '', runId },
  });
}
