/**
 * `conductor`: starts a workflow on a cluster for the slot, and holds the run until the workflow has ended (`follow: false`:
 * until it is started).
 *
 * - *Start*: the correlation id is derived from the run, which is derived from the slot. The cluster ignores idempotency keys, so
 *   before any start that may not be the first, the correlation id is looked up: a workflow that is there is taken over.
 * - *Completion* is learned by polling, ever more slowly up to a bound. A cluster that does not answer is asked again; only a
 *   workflow that it no longer knows fails the run.
 * - *Cancel* terminates the workflow. A run that is stopped while no attempt watches its workflow is followed by a run that finds and
 *   terminates it (`runs/withdrawal.ts`).
 * - Each cluster has its own queue, connections and breaker: a slow or dead one delays nothing else.
 */
import type { Clock } from '../base/clock.ts';
import { given } from '../base/given.ts';
import { second } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import type { RunContext } from '../runs/context.ts';
import { isWorkToStop } from '../runs/context.ts';
import type { Withdrawal } from '../runs/withdrawal.ts';
import { withdrawalName } from '../runs/withdrawal.ts';
import type { ActionQueue } from './action.ts';
import { targetQueue } from './action.ts';
import { ActionFailed, nothingBegan, notStopped } from './action-failed.ts';
import type { ConductorTarget, WorkflowState } from './conductor-cluster.ts';
import { ClusterRefused, ConductorCluster } from './conductor-cluster.ts';
import type { ConductorInput } from './conductor-kind.ts';
import { conductorKind } from './conductor-kind.ts';

/** The options of Conductor actions in a process. */
export interface ConductorOptions {
  /** Clusters by the names that schedules use; `default` is the one of schedules that name none. */
  readonly targets: Readonly<Record<string, ConductorTarget>>;
  /** The most workflows of one cluster that are awaited at once. Default 1000. */
  readonly concurrency?: number;
  /** The most starts at one cluster at once, and the most other requests. Default 16 each. */
  readonly requests?: number;
  /** How long the cluster may take for an answer. Default 10 s. */
  readonly requestTimeoutMs?: number;
  /** The first pause between two polls of a workflow, and the longest. Default 500 ms and 15 s. */
  readonly pollMs?: number;
  readonly longestPollMs?: number;
  /** A cluster that leaves this many requests in a row unanswered is not asked for `restMs`. Default 5 and 10 s. */
  readonly breaker?: { readonly failures: number; readonly restMs: number };
}

export interface ConductorActionParts extends ConductorOptions {
  readonly clock: Clock;
}

/** The stored work: the target, and the schedule's input. */
export interface ConductorWork extends ConductorInput {
  readonly input?: unknown;
}

const defaults = {
  concurrency: 1000,
  requests: 16,
  requestTimeoutMs: 10 * second,
  pollMs: 500,
  longestPollMs: 15 * second,
  breaker: { failures: 5, restMs: 10 * second },
};

/** A queue for each configured cluster. */
export function conductorQueues(parts: ConductorActionParts): Readonly<Record<string, ActionQueue>> {
  const settings = { ...defaults, ...given(parts) };
  return Object.fromEntries(
    Object.entries(parts.targets).map(([name, target]) => {
      const { clock, requests, requestTimeoutMs, concurrency, breaker } = settings;
      const cluster = new ConductorCluster({ clock, target, requests, requestTimeoutMs, breaker });
      const queue: ActionQueue = {
        concurrency,
        handlers: {
          [conductorKind.kind]: (context: RunContext<ConductorWork>) => perform(context, cluster, settings),
          [withdrawalName(conductorKind.kind)]: (context: WithdrawalContext) =>
            withdraw(context, cluster, settings),
        },
        waitsElsewhere: true,
        close: () => cluster.close(),
      };
      return [targetQueue(conductorKind.kind, name), queue];
    }),
  );
}

/** The same for every attempt of a slot. */
export function correlationIdOf({ id }: { readonly id: string }): string {
  return `carillon-${id}`;
}

type Settings = typeof defaults & { readonly clock: Clock };

async function perform(
  context: RunContext<ConductorWork>,
  cluster: ConductorCluster,
  settings: Settings,
): Promise<unknown> {
  const { follow = true } = context.input;
  let workflowId: string;
  try {
    workflowId = await started(context, cluster, settings);
  } catch (error) {
    if (isWorkToStop(context.signal.reason)) await stopUnknown(context, cluster);
    throw error;
  }
  context.heartbeat({ workflowId });
  return follow ? await ending(context, cluster, { settings, workflowId }) : { workflowId };
}

async function started(
  context: RunContext<ConductorWork>,
  cluster: ConductorCluster,
  { requestTimeoutMs }: Settings,
): Promise<string> {
  const { workflow: name, version, taskToDomain, priority, input } = context.input;
  const correlationId = correlationIdOf(context);
  const known = (context.progress as { readonly workflowId?: unknown } | null)?.workflowId;
  if (typeof known === 'string') return known;
  context.signal.throwIfAborted();
  // A request that is given up may still start the workflow, which could then not be stopped.
  const signal = unlessToStop(context.signal);
  return await asking(context, requestTimeoutMs, async () => {
    if (!nothingBegan(context)) {
      const [found] = await cluster.correlated(name, correlationId, signal);
      if (found !== undefined) return found.workflowId;
    }
    const request = {
      name,
      correlationId,
      input: inputOf(context, input),
      ...given({ version, taskToDomain, priority }),
    };
    return await cluster.start(request, signal);
  });
}

/** A signal that is aborted like this one, except when the work itself is to stop. */
function unlessToStop(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener('abort', () => {
    if (!isWorkToStop(signal.reason)) controller.abort(signal.reason);
  });
  return controller.signal;
}

/** Terminates the workflow of a start whose answer was lost. */
async function stopUnknown(context: RunContext<ConductorWork>, cluster: ConductorCluster): Promise<void> {
  const found = await cluster
    .correlated(context.input.workflow, correlationIdOf(context), unending())
    .catch(leftBehind);
  for (const { workflowId } of found) await stopped(context, cluster, workflowId);
}

type WithdrawalContext = RunContext<Withdrawal<ConductorWork>>;

/** Terminates the workflow of a run that was stopped while no attempt watched it, if there is one. */
async function withdraw(
  context: WithdrawalContext,
  cluster: ConductorCluster,
  { clock, requestTimeoutMs }: Settings,
): Promise<unknown> {
  const { withdraw: asked, of: work } = context.input;
  const found = await cluster.correlated(work.workflow, correlationIdOf({ id: asked.run }), context.signal);
  // A start that was under way may still arrive within the time that its answer was waited for.
  if (found.length === 0 && clock.now() < context.scheduledAt + requestTimeoutMs)
    throw notStopped('a start that is under way may still arrive');
  const open = found.filter(({ status }) => isOpen(status));
  for (const { workflowId } of open) await terminate(cluster, workflowId, asked.reason, context.signal);
  return { withdrawn: open.length > 0, workflowIds: open.map(({ workflowId }) => workflowId) };
}

/** Throws when the workflow may go on. */
async function terminate(
  cluster: ConductorCluster,
  id: string,
  reason: string,
  signal: AbortSignal,
): Promise<void> {
  await cluster.terminate(id, reason, signal).catch((error: unknown) => {
    // It has ended already, or is gone.
    if (error instanceof ClusterRefused && (error.status === 404 || error.status === 409)) return;
    leftBehind(error);
  });
}

function leftBehind(error: unknown): never {
  throw notStopped(error instanceof Error ? error.message : String(error));
}

/** A signal for requests that must not be given up with the run. */
function unending(): AbortSignal {
  return new AbortController().signal;
}

function isOpen(status: string): boolean {
  return status === 'RUNNING' || status === 'PAUSED';
}

/** The input, with what the original's scheduler adds to it. */
function inputOf({ id, schedule, scheduledAt }: RunContext, input: unknown): object {
  const own = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : given({ input });
  return { ...own, _startedByScheduler: schedule, _scheduledTime: scheduledAt, _executionId: id };
}

/** Turns refusals of the cluster into failures. What may have had an effect is never called a failed start. */
async function asking<T>(
  context: RunContext<ConductorWork>,
  patienceMs: number,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ClusterRefused)) throw error;
    const { status, isUnsent, waitMs, message } = error;
    // 404: no such workflow or version; 400: refused before anything began. A 500 may be either, so it is tried again.
    const isMistake = status === 400 || status === 404 || status === 401 || status === 403;
    throw new ActionFailed({
      message,
      type: status === 0 ? 'NoAnswer' : 'ClusterRefused',
      nonRetryable: isMistake,
      startFailed: (isUnsent || isMistake) && nothingBegan(context),
      // A request without an answer may still be under way there: the look-up must come after it.
      retryAfterMs: Math.max(waitMs, status === 0 && !isUnsent ? patienceMs : 0),
    });
  }
}

async function ending(
  context: RunContext<ConductorWork>,
  cluster: ConductorCluster,
  { settings, workflowId }: { readonly settings: Settings; readonly workflowId: string },
): Promise<unknown> {
  const { clock, pollMs, longestPollMs } = settings;
  const wakeup = new Wakeup(clock);
  const unhook = wakeOnAbort(wakeup, context.signal);
  try {
    for (let pause = pollMs; ; pause = Math.min(pause * 1.5, longestPollMs)) {
      if (context.signal.aborted) throw await stopped(context, cluster, workflowId);
      const state = await lookedAt(context, cluster, workflowId);
      if (state !== undefined) {
        const end = endOf(state);
        if (end !== undefined) return end;
      }
      if (!context.signal.aborted) await wakeup.sleep(pause);
    }
  } finally {
    unhook();
  }
}

/** Undefined when the cluster could not be asked: the workflow goes on there. */
async function lookedAt(
  context: RunContext<ConductorWork>,
  cluster: ConductorCluster,
  id: string,
): Promise<WorkflowState | undefined> {
  try {
    const state = await cluster.state(id, context.signal);
    if (state !== undefined) return state;
  } catch (error) {
    if (error instanceof ClusterRefused || context.signal.aborted) return undefined;
    throw error;
  }
  throw new ActionFailed({
    message: `the cluster does not know the workflow ${id} any more`,
    type: 'WorkflowGone',
    nonRetryable: true,
  });
}

function endOf({ workflowId, status, output, reason }: WorkflowState): object | undefined {
  if (status === 'COMPLETED') return { workflowId, output };
  if (isOpen(status)) return undefined;
  throw new ActionFailed({
    message: reason ?? `the workflow ${workflowId} ended as ${status}`,
    type: status,
    // The slot has had its workflow; another attempt would find the same one.
    nonRetryable: true,
    details: { workflowId },
  });
}

/** A cancelled run ends its workflow; a process that stops leaves it to the next process. */
async function stopped(
  { signal }: RunContext<ConductorWork>,
  cluster: ConductorCluster,
  id: string,
): Promise<unknown> {
  const { reason } = signal;
  if (isWorkToStop(reason)) {
    await terminate(cluster, id, reason.message, unending());
  }
  return reason;
}
