/**
 * `temporal`: starts a workflow on a Temporal cluster for the slot, and holds the run until that workflow has ended
 * (`follow: false`: until it has started).
 *
 * - *Start*: workflow id and request id are derived from the slot, so a repeated request (after a crash or a lost answer) finds the
 *   workflow that the first one started. An automatic start is refused when its id was ever used, a manual one when it is in use.
 * - *Completion* is learned from a long poll for the closing event. The number of long polls of a process is bounded; the runs beyond
 *   it ask now and then. A process that stops leaves the workflow alone, and the next one finds it by the same ids.
 * - *Cancel* asks the cluster to cancel the workflow; a termination of the run and a timeout terminate it. The run ends either way.
 * - A cluster that does not answer is left alone for a while (`breaker.ts`), and its runs wait in a queue of their own, so no
 *   other schedule is delayed.
 */
import type { Clock } from '../base/clock.ts';
import { second } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import type { RunContext } from '../runs/context.ts';
import { isWorkToStop } from '../runs/context.ts';
import { failureTypes } from '../runs/failure.ts';
import type { Action } from './action.ts';
import { ActionFailed, nothingBegan } from './action-failed.ts';
import { Breaker } from './breaker.ts';
import type { TemporalAddress, TemporalConnection } from './temporal-driver.ts';
import { openTemporal } from './temporal-driver.ts';
import type { TemporalInput } from './temporal-kind.ts';
import { temporalKind } from './temporal-kind.ts';
import { closingOf, isOurs, startRequest, statusOf } from './temporal-message.ts';

export interface TemporalCluster extends TemporalAddress {
  /** The namespace of schedules that name none. Default `default`. */
  readonly namespace?: string;
}

/** The options of Temporal actions in a process. */
export interface TemporalOptions extends Partial<TemporalCluster> {
  /** Further clusters, by the names that schedules use. */
  readonly clusters?: Readonly<Record<string, TemporalCluster>>;
  /** The most workflows that are awaited at once. Default 1000. */
  readonly concurrency?: number;
  /** The most long polls at once. Default 100. */
  readonly waiters?: number;
  /** Ms between two looks at a workflow without a long poll. Default 15 s. */
  readonly lookMs?: number;
}

export interface TemporalActionParts extends TemporalOptions {
  readonly clock: Clock;
}

/** The stored work: the target, and the schedule's input when the target has no arguments. */
export interface TemporalWork extends TemporalInput {
  readonly input?: unknown;
}

const defaults = { concurrency: 1000, waiters: 100, lookMs: 15 * second };
const callMs = 10 * second;
/** Failures in a row after which a cluster counts as away, and how long it is then left alone. */
const tolerated = 5;
const restMs = 5 * second;
/** Servers answer a long poll after 20 seconds at the latest. */
const pollMs = 40 * second;

interface Target {
  readonly connection: TemporalConnection;
  readonly namespace: string;
  readonly breaker: Breaker;
}

export function temporalAction(parts: TemporalActionParts): Action {
  const { concurrency = defaults.concurrency } = parts;
  const targets = new Targets(parts);
  return {
    kind: temporalKind.kind,
    concurrency,
    perform: (context: RunContext<TemporalWork>) => perform(context, parts, targets),
    waitsElsewhere: true,
    close: () => targets.close(),
  };
}

class Targets {
  readonly #parts: TemporalActionParts;
  readonly #open = new Map<string, Promise<Target>>();
  #polls = 0;

  constructor(parts: TemporalActionParts) {
    this.#parts = parts;
  }

  async find(name: string): Promise<Target | undefined> {
    const { address, namespace, apiKey, tls, clusters = {}, clock } = this.#parts;
    const own = address === undefined ? undefined : { address, namespace, apiKey, tls };
    const cluster =
      (Object.hasOwn(clusters, name) ? clusters[name] : undefined) ?? (name === 'default' ? own : undefined);
    if (cluster === undefined) return undefined;
    let target = this.#open.get(name);
    if (target === undefined) {
      target = openTemporal(cluster as TemporalAddress).then((connection) => ({
        connection,
        namespace: cluster.namespace ?? 'default',
        breaker: new Breaker({ clock, failures: tolerated, restMs }),
      }));
      this.#open.set(name, target);
    }
    return await target;
  }

  /** Takes the place of a long poll; undefined when all are taken. */
  takePoll(): (() => void) | undefined {
    if (this.#polls >= (this.#parts.waiters ?? defaults.waiters)) return undefined;
    this.#polls += 1;
    return () => {
      this.#polls -= 1;
    };
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const target of open)
      await target.then(({ connection }) => connection.close()).catch(() => undefined);
  }
}

async function perform(
  context: RunContext<TemporalWork>,
  parts: TemporalActionParts,
  targets: Targets,
): Promise<unknown> {
  const { cluster = 'default', follow = true, namespace: asked } = context.input;
  const target = await targets.find(cluster);
  if (target === undefined) {
    throw new ActionFailed({
      message: `this process has no Temporal cluster '${cluster}'`,
      type: 'NoCluster',
      startFailed: nothingBegan(context),
    });
  }
  const namespace = asked ?? target.namespace;
  const request = startRequest(context, namespace);
  const runId = await start(context, parts.clock, target, request);
  if (!follow) return { workflowId: request.workflowId, runId };
  return await ending(context, parts, targets, { target, namespace, workflowId: request.workflowId, runId });
}

/** Starts the workflow, or finds the one that an earlier attempt started. Returns its run id. */
async function start(
  context: RunContext<TemporalWork>,
  clock: Clock,
  { connection, breaker }: Target,
  request: ReturnType<typeof startRequest>,
): Promise<string> {
  const waitMs = breaker.waitMs();
  if (waitMs > 0) {
    throw new ActionFailed({
      message: 'the Temporal cluster does not answer; it is asked again later',
      type: failureTypes.enqueueFailed,
      startFailed: nothingBegan(context),
      retryAfterMs: waitMs,
    });
  }
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
        nonRetryable: true,
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
  }
}

interface Watched {
  readonly target: Target;
  readonly namespace: string;
  readonly workflowId: string;
  readonly runId: string;
}

async function ending(
  context: RunContext<TemporalWork>,
  { clock, lookMs = defaults.lookMs }: TemporalActionParts,
  targets: Targets,
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
        await withdraw(watched, clock, signal.reason);
        throw signal.reason;
      }
      const leave = targets.takePoll();
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

/** Asks for the closing event; waits for it when this run has the place of a long poll. */
async function look(
  { target, namespace, workflowId, runId }: Watched,
  clock: Clock,
  { waits, signal }: { readonly waits: boolean; readonly signal: AbortSignal },
): Promise<Looked> {
  const { connection } = target;
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

/** Stops the workflow only when the work is to end; a process that merely stops leaves it to the next process. */
async function withdraw(
  { target: { connection }, namespace, workflowId, runId }: Watched,
  clock: Clock,
  reason: unknown,
): Promise<void> {
  if (!isWorkToStop(reason)) return;
  const { workflowService } = connection;
  const request = {
    namespace,
    workflowExecution: { workflowId },
    firstExecutionRunId: runId,
    identity: 'carillon',
    reason: reason.message,
  };
  try {
    if (reason.kind === 'cancelled') {
      const requestId = `cancel-${runId}`;
      await within(connection, clock, callMs, () =>
        workflowService.requestCancelWorkflowExecution({ ...request, requestId }),
      );
    } else {
      await within(connection, clock, callMs, () => workflowService.terminateWorkflowExecution(request));
    }
  } catch {
    // It has ended already, or the cluster cannot be reached; nothing more can be done here.
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
