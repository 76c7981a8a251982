/**
 * `bullmq`: adds a job to a BullMQ queue for the slot, and holds the run until that job has ended
 * (`follow: false`: until the job is in the queue).
 *
 * - *Start*: the job's id is derived from the slot, so a repeated request (after a crash or a lost answer) finds the
 *   existing job. Its priority is always set, because in BullMQ a job without one goes before those with the highest.
 * - *Completion* is learned from the queue's events and from polling, so that a lost event delays it by at most one
 *   poll. The run is held, not parked: its lease says that a process is listening, another process takes over when
 *   the lease lapses, and a cancel reaches the process that can remove the job from the queue.
 * - *Cancel* removes a waiting job. A job that a BullMQ worker has started is left to that worker; the run ends all
 *   the same.
 */
import type { Clock } from '../base/clock.ts';
import { day, second } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import type { RunContext } from '../runs/context.ts';
import { isWorkToStop } from '../runs/context.ts';
import type { Action } from './action.ts';
import { ActionFailed, nothingBegan } from './action-failed.ts';
import type { BullmqJob } from './bullmq-driver.ts';
import type { BullmqInput, BullmqJobOptions } from './bullmq-kind.ts';
import { bullmqKind } from './bullmq-kind.ts';
import type { BullmqConnection, BullmqTarget } from './bullmq-queues.ts';
import { BullmqQueues } from './bullmq-queues.ts';
import { enqueueFailed } from './enqueue-failure.ts';
import { jobData, slotJobId } from './slot-job.ts';

/** The options of BullMQ actions in a process. */
export interface BullmqOptions {
  /** The connection named `default`: a URL, or ioredis' options. */
  readonly connection?: BullmqConnection;
  /** Further connections, by the names that schedules use. */
  readonly connections?: Readonly<Record<string, BullmqConnection>>;
  /** The prefix of BullMQ's keys. BullMQ's own default is `bull`. */
  readonly prefix?: string;
  /** The most jobs that are awaited at once. Default 1000. */
  readonly concurrency?: number;
  /** Ms between two polls of a job without an event. Default 15 s. */
  readonly lookMs?: number;
}

export interface BullmqActionParts extends BullmqOptions {
  readonly clock: Clock;
}

/** The stored work: the target, and the schedule's input when the target has no data. */
export interface BullmqWork extends BullmqInput {
  readonly input?: unknown;
}

const defaults = { concurrency: 1000, lookMs: 15 * second };
const keepCompleted = { age: day / 1000 };
const keepFailed = { age: (7 * day) / 1000 };

export function bullmqAction(parts: BullmqActionParts): Action {
  const { connection, connections = {}, prefix, concurrency = defaults.concurrency } = parts;
  const queues = new BullmqQueues({
    connections: { ...connections, ...(connection === undefined ? {} : { default: connection }) },
    ...(prefix === undefined ? {} : { prefix }),
  });
  return {
    kind: bullmqKind.kind,
    concurrency,
    perform: (context: RunContext<BullmqWork>) => perform(context, parts, queues),
    waitsElsewhere: true,
    close: () => queues.close(),
  };
}

/** BullMQ's priorities start at 1, smaller first: high is 1, normal 5, low 10, and values between are interpolated. */
export function bullmqPriority(priority: number): number {
  const place =
    priority >= 0 ? 5 - (4 * Math.min(priority, 100)) / 100 : 5 + (5 * Math.min(-priority, 100)) / 100;
  return Math.round(place);
}

async function perform(
  context: RunContext<BullmqWork>,
  parts: BullmqActionParts,
  queues: BullmqQueues,
): Promise<unknown> {
  const { connection = 'default', queue, follow = true } = context.input;
  const { name = context.schedule ?? context.name } = context.input;
  if (!queues.has(connection)) {
    throw new ActionFailed({
      message: `this process has no BullMQ connection '${connection}'`,
      type: 'NoConnection',
      startFailed: nothingBegan(context),
    });
  }
  const jobId = slotJobId(context);
  const target = await asking(context, undefined, () => queues.open(connection, queue));
  const options = optionsOf(context, jobId);
  const job = await asking(context, target, () =>
    target.queue.add(name, jobData(context, dataIn(context.input), parts.clock.now()), options),
  );
  // With `deduplication` this may be an earlier job.
  const followed = job.id ?? jobId;
  if (!follow) return { jobId: followed };
  return await ending(context, parts, { target, jobId: followed });
}

/** Turns errors of the connection into retryable failures. A retry is harmless because the job id stays the same. */
async function asking<T>(
  context: RunContext<BullmqWork>,
  target: BullmqTarget | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const wasConnected = target?.isConnected() ?? false;
  try {
    return await ask();
  } catch (error) {
    throw enqueueFailed(context, {
      where: `BullMQ queue '${context.input.queue}'`,
      error,
      isUnsent: !wasConnected,
    });
  }
}

interface Watched {
  readonly target: BullmqTarget;
  readonly jobId: string;
}

async function ending(
  context: RunContext<BullmqWork>,
  { clock, lookMs = defaults.lookMs }: BullmqActionParts,
  { target, jobId }: Watched,
): Promise<unknown> {
  const { signal } = context;
  const wakeup = new Wakeup(clock);
  // Subscribe before the first poll, so that no event in between is lost.
  const unlisten = target.listen(jobId, () => wakeup.wake());
  const unhook = wakeOnAbort(wakeup, signal);
  try {
    for (;;) {
      wakeup.forget();
      const ended = await look(target, jobId, context);
      if (ended !== undefined) return ended.result;
      if (!signal.aborted) await wakeup.sleep(lookMs);
      if (!signal.aborted) continue;
      await withdraw(target, jobId, signal.reason);
      throw signal.reason;
    }
  } finally {
    unlisten();
    unhook();
  }
}

async function look(
  target: BullmqTarget,
  jobId: string,
  context: RunContext<BullmqWork>,
): Promise<{ readonly result: unknown } | undefined> {
  let job: BullmqJob | undefined;
  let state: string;
  try {
    // Read the state first: a job that was read before its end would lack its result.
    state = await target.queue.getJobState(jobId);
    job = await target.queue.getJob(jobId);
    if (job === undefined) state = 'gone';
  } catch {
    // Redis cannot be reached; the next poll or event brings the state.
    return undefined;
  }
  switch (state) {
    case 'completed':
      return { result: (job as BullmqJob).returnvalue ?? null };
    case 'failed':
      throw new ActionFailed({
        message: (job as BullmqJob).failedReason || 'the job failed without a reason',
        type: 'JobFailed',
        // BullMQ has already made all configured attempts.
        nonRetryable: true,
        details: { jobId, queue: context.input.queue, attempts: (job as BullmqJob).attemptsMade },
      });
    case 'gone':
    case 'unknown':
      throw new ActionFailed({
        message: `job '${jobId}' is gone from the queue '${context.input.queue}': it was removed, and how it ended is not known`,
        type: 'JobGone',
        nonRetryable: true,
      });
    default:
      return undefined;
  }
}

/** Removes the job only when the work is to end; a process that merely stops leaves the job to the next process. */
async function withdraw({ queue }: BullmqTarget, jobId: string, reason: unknown): Promise<void> {
  if (!isWorkToStop(reason)) return;
  try {
    await queue.remove(jobId);
  } catch {
    // A worker has the job, or Redis cannot be reached; nothing more can be done here.
  }
}

function optionsOf({ input: { opts = {} }, priority }: RunContext<BullmqWork>, jobId: string): JobOptions {
  return {
    removeOnComplete: keepCompleted,
    removeOnFail: keepFailed,
    ...opts,
    priority: opts.priority ?? bullmqPriority(priority),
    jobId,
  };
}

type JobOptions = BullmqJobOptions & { readonly jobId: string; readonly priority: number };

function dataIn({ data, input }: BullmqWork): unknown {
  return data ?? input ?? {};
}
