/**
 * `temporal`: starts a workflow on a Temporal cluster for the slot, and holds the run until that workflow has ended
 * (`follow: false`: until it has started).
 *
 * - *Start*: workflow id and request id are derived from the slot, so a repeated request (after a crash or a lost answer) finds the
 *   workflow that the first one started. An automatic start is refused when its id was ever used, a manual one when it is in use.
 *   Where a schedule keeps one id for all its workflows, a start waits until that is free. Few starts are under way at once, so that
 *   a slow cluster gets steady work and not a thousand requests that all miss their deadline.
 * - *Completion* is learned from a long poll for the closing event. The number of long polls is bounded; the other runs
 *   poll at intervals. A process that stops leaves the workflow alone, and the next one finds it by the same ids.
 * - *Cancel* asks the cluster to cancel the workflow; a termination of the run and a timeout terminate it. The run ends either way. What
 *   no attempt can end any more is ended by a withdrawal (`runs/withdrawal.ts`): a run on the same queue that finds the workflow.
 * - Each cluster has its own queue, connection, bounds and breaker: a slow or dead one delays nothing else.
 */
import type { Clock } from '../base/clock.ts';
import { given } from '../base/given.ts';
import { second } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import type { RunContext } from '../runs/context.ts';
import { isWorkToStop } from '../runs/context.ts';
import { failureTypes } from '../runs/failure.ts';
import type { Withdrawal } from '../runs/withdrawal.ts';
import type { ActionQueue } from './action.ts';
import { defaultTarget, targetQueue } from './action.ts';
import { ActionFailed, isActionFailed, nothingBegan, notStopped } from './action-failed.ts';
import { Breaker } from './breaker.ts';
import { HostGate } from './host-gate.ts';
import type { TemporalAddress, TemporalConnection } from './temporal-driver.ts';
import { openTemporal } from './temporal-driver.ts';
import type { TemporalInput } from './temporal-kind.ts';
import { temporalKind } from './temporal-kind.ts';
import {
  closingOf,
  hasOwnId,
  isOurs,
  openRunOf,
  requestIdOf,
  startRequest,
  statusOf,
} from './temporal-message.ts';

export interface TemporalCluster extends TemporalAddress {
  /** The namespace of schedules that name none. Default `default`. */
  readonly namespace?: string;
}

/** The options of Temporal actions in a process. */
export interface TemporalOptions extends Partial<TemporalCluster> {
  /** Further clusters, by the names that schedules use. */
  readonly clusters?: Readonly<Record<string, TemporalCluster>>;
  /** The most workflows of one cluster that are awaited at once. Default 1000. */
  readonly concurrency?: number;
  /** The most starts at one cluster at once. Default 20. */
  readonly starts?: number;
  /** The most long polls at one cluster at once. Default 100. */
  readonly waiters?: number;
  /** Ms between two polls of a workflow without a long poll. Default 15 s. */
  readonly lookMs?: number;
}

export interface TemporalActionParts extends TemporalOptions {
  readonly clock: Clock;
}

/** The stored work: the target, and the schedule's input when the target has no arguments. */
export interface TemporalWork extends TemporalInput {
  readonly input?: unknown;
}

const defaults = { concurrency: 1000, starts: 20, waiters: 100, lookMs: 15 * second };
const callMs = 10 * second;
/** After this many failures in a row a cluster counts as unreachable, and is left alone for `restMs`. */
const tolerated = 5;
const restMs = 5 * second;
/** Servers answer a long poll after 20 seconds at the latest. */
const pollMs = 40 * second;

/** A queue for each configured cluster. */
export function temporalQueues(parts: TemporalActionParts): Readonly<Record<string, ActionQueue>> {
  const settings = { ...defaults, ...given(parts) };
  return Object.fromEntries(
    Object.entries(clustersOf(parts)).map(([name, cluster]) => {
      const target = new Target(cluster, settings);
      const queue: ActionQueue = {
        concurrency: settings.concurrency,
        // A run has the name of its workflow type.
        handlers: () => (context: RunContext<TemporalWork> | WithdrawalContext) =>
          isWithdrawal(context) ? withdraw(context, target, settings) : perform(context, target, settings),
        waitsElsewhere: true,
        close: () => target.close(),
      };
      return [targetQueue(temporalKind.kind, name), queue];
    }),
  );
}

function clustersOf({ address, namespace, apiKey, tls, clusters }: TemporalOptions) {
  const own =
    address === undefined ? {} : { [defaultTarget]: { address, ...given({ namespace, apiKey, tls }) } };
  return { ...own, ...clusters } as Readonly<Record<string, TemporalCluster>>;
}

type Settings = typeof defaults & { readonly clock: Clock };

class Target {
  readonly namespace: string;
  readonly breaker: Breaker;
  readonly #cluster: TemporalCluster;
  readonly #starts: HostGate;
  readonly #waiters: number;
  #connection: Promise<TemporalConnection> | undefined;
  #polls = 0;

  constructor(cluster: TemporalCluster, { clock, starts, waiters }: Settings) {
    this.#cluster = cluster;
    this.namespace = cluster.namespace ?? 'default';
    this.breaker = new Breaker({ clock, failures: tolerated, restMs });
    this.#starts = new HostGate(starts);
    this.#waiters = waiters;
  }

  async connection(): Promise<TemporalConnection> {
    this.#connection ??= openTemporal(this.#cluster);
    return await this.#connection;
  }

  /** Waits until another start may be sent. Resolves to a function that ends the reservation. */
  async takeStart(signal: AbortSignal): Promise<() => void> {
    return await this.#starts.enter(this.#cluster.address, signal);
  }

  /** Reserves a long poll. Returns a function that ends the reservation; undefined when no long poll is free. */
  takePoll(): (() => void) | undefined {
    if (this.#polls >= this.#waiters) return undefined;
    this.#polls += 1;
    return () => {
      this.#polls -= 1;
    };
  }

  async close(): Promise<void> {
    await this.#connection?.then((connection) => connection.close()).catch(() => undefined);
    this.#connection = undefined;
  }
}

async function perform(
  context: RunContext<TemporalWork>,
  target: Target,
  settings: Settings,
): Promise<unknown> {
  const { follow = true, namespace = target.namespace } = context.input;
  const request = startRequest(context, namespace);
  const connection = await target.connection();
  const runId = await start(context, { target, connection, clock: settings.clock }, request);
  const { workflowId } = request;
  if (!follow) return { workflowId, runId };
  return await ending(context, settings, { target, connection, namespace, workflowId, runId });
}

/** Starts the workflow, or finds the one that an earlier attempt started. Returns its run id. */
async function start(
  context: RunContext<TemporalWork>,
  {
    target,
    connection,
    clock,
  }: { readonly target: Target; readonly connection: TemporalConnection; readonly clock: Clock },
  request: ReturnType<typeof startRequest>,
): Promise<string> {
  const { breaker } = target;
  const waitMs = breaker.waitMs();
  if (waitMs > 0) {
    throw new ActionFailed({
      message: 'the Temporal cluster does not answer; it is asked again later',
      type: failureTypes.enqueueFailed,
      startFailed: nothingBegan(context),
      retryAfterMs: waitMs,
    });
  }
  const leave = await target.takeStart(context.signal).catch((error: unknown) => {
    breaker.givenUp();
    throw error;
  });
  try {
    const { runId } = await within(connection, clock, callMs, () =>
      connection.workflowService.startWorkflowExecution(request),
    );
    breaker.answered();
    return String(runId);
  } catch (error) {
    const status = statusOf(error);
    if (status.name === 'ALREADY_EXISTS') {
      breaker.answered();
      if (isOurs(status, request.requestId)) return status.runId;
      throw new ActionFailed({
        message: `the workflow id '${request.workflowId}' is in use on the cluster: ${status.message}`,
        type: 'AlreadyStarted',
        // An id that all workflows of a schedule share becomes free when the previous workflow ends, which may be soon.
        nonRetryable: hasOwnId(context),
        startFailed: nothingBegan(context),
      });
    }
    if (status.isFinal) breaker.answered();
    else breaker.failed();
    throw new ActionFailed({
      message: `the Temporal cluster refused the start: ${status.message}`,
      type: failureTypes.enqueueFailed,
      nonRetryable: status.isFinal,
      // A refusal is an answer; without one the workflow may have been started.
      startFailed: status.isFinal && nothingBegan(context),
    });
  } finally {
    leave();
  }
}

interface Watched {
  readonly target: Target;
  readonly connection: TemporalConnection;
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
}

async function ending(
  context: RunContext<TemporalWork>,
  { clock, lookMs }: Settings,
  watched: Watched,
): Promise<unknown> {
  const { signal } = context;
  const wakeup = new Wakeup(clock);
  const unhook = wakeOnAbort(wakeup, signal);
  let { runId } = watched;
  try {
    for (;;) {
      wakeup.forget();
      if (signal.aborted) {
        const { reason } = signal;
        // A process that merely stops leaves the workflow to the next one. Every other end of the run is followed by a withdrawal.
        if (isWorkToStop(reason) && reason.kind === 'cancelled')
          await stop(watched, clock, { how: 'cancel', reason: reason.message });
        throw reason;
      }
      const leave = watched.target.takePoll();
      const closing = await look({ ...watched, runId }, clock, {
        waits: leave !== undefined,
        signal,
      }).finally(leave);
      if (closing.kind === 'ended') return closing.result();
      if (closing.kind === 'continued') runId = closing.runId;
      else if (closing.kind === 'unknown' || leave === undefined) await wakeup.sleep(lookMs);
    }
  } finally {
    unhook();
  }
}

type Looked = ReturnType<typeof closingOf> | { readonly kind: 'unknown' };

/** Asks for the closing event; waits for it when this run has reserved a long poll. */
async function look(
  { connection, namespace, workflowId, runId }: Watched,
  clock: Clock,
  { waits, signal }: { readonly waits: boolean; readonly signal: AbortSignal },
): Promise<Looked> {
  const request = {
    namespace,
    execution: { workflowId, runId },
    waitNewEvent: waits,
    historyEventFilterType: closeEventOnly,
  };
  try {
    const answer = await connection.withAbortSignal(signal, () =>
      within(connection, clock, waits ? pollMs : callMs, () =>
        connection.workflowService.getWorkflowExecutionHistory(request),
      ),
    );
    return closingOf(answer);
  } catch (error) {
    if (signal.aborted) return { kind: 'open' };
    const { name, message } = statusOf(error);
    if (name !== 'NOT_FOUND') return { kind: 'unknown' };
    throw new ActionFailed({
      message: `the workflow '${workflowId}' is gone from the cluster, and how it ended is not known: ${message}`,
      type: 'WorkflowGone',
      nonRetryable: true,
    });
  }
}

const closeEventOnly = 2;

/** Ends a workflow on the cluster. Throws when the cluster does not answer. */
async function stop(
  { connection, namespace, workflowId, runId }: Omit<Watched, 'target'>,
  clock: Clock,
  { how, reason }: Pick<Withdrawal['withdraw'], 'how' | 'reason'>,
): Promise<void> {
  const { workflowService } = connection;
  const request = {
    namespace,
    workflowExecution: { workflowId },
    firstExecutionRunId: runId,
    identity: 'carillon',
    reason,
  };
  try {
    await within(connection, clock, callMs, () =>
      how === 'cancel'
        ? workflowService.requestCancelWorkflowExecution({ ...request, requestId: `cancel-${runId}` })
        : workflowService.terminateWorkflowExecution(request),
    );
  } catch (error) {
    // A final answer: it has ended already.
    const { isFinal, message } = statusOf(error);
    if (!isFinal) throw notStopped(message);
  }
}

type WithdrawalContext = RunContext<Withdrawal<TemporalWork>>;

function isWithdrawal(context: RunContext<TemporalWork> | WithdrawalContext): context is WithdrawalContext {
  return 'withdraw' in context.input;
}

/** Ends the workflow of a run that was stopped while no attempt watched it, if there is one. */
async function withdraw(context: WithdrawalContext, target: Target, { clock }: Settings): Promise<unknown> {
  const { withdraw: asked, of: work } = context.input;
  const { run, how, reason } = asked;
  const { namespace = target.namespace } = work;
  const workflowId = asked.workflowId ?? run;
  const connection = await target.connection();
  const request = { namespace, execution: { workflowId } };
  try {
    const described = await within(connection, clock, callMs, () =>
      connection.workflowService.describeWorkflowExecution(request),
    );
    const requestId = requestIdOf({ namespace: context.namespace, id: run });
    const runId = openRunOf(described, { requestId, workflowId });
    if (runId === undefined) return { withdrawn: false };
    await stop({ connection, namespace, workflowId, runId }, clock, { how, reason });
    return { withdrawn: true, workflowId, runId };
  } catch (error) {
    if (isActionFailed(error)) throw error;
    const { name, message } = statusOf(error);
    if (name !== 'NOT_FOUND') throw notStopped(message);
    // A start that was under way may still arrive until its deadline.
    if (clock.now() >= context.scheduledAt + callMs) return { withdrawn: false };
    throw notStopped('a start that is under way may still arrive');
  }
}

async function within<T>(
  connection: TemporalConnection,
  clock: Clock,
  milliseconds: number,
  call: () => Promise<T>,
): Promise<T> {
  return await connection.withDeadline(clock.now() + milliseconds, call);
}
