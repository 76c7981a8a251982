/**
 * `bullmq`: hands the slot to a BullMQ queue as a job, and holds the run until that job has ended (`follow: false`: until
 * the job is in the queue).
 *
 * - *Start*: the job's id is made from the slot, so asking again (a crash, a lost answer) finds the job that is there.
 *   Its priority is always set, because in BullMQ a job without one goes before those with the highest.
 * - *Completion* is learned from the queue's events, and from a look now and then, so that a lost event delays it by one
 *   look at most. The run is held and not parked: its lease says that a process is listening, another process takes
 *   over when it lapses, and a cancel reaches the process that can take the job out of the queue.
 * - *Cancel* removes a job that waits. One that a worker has begun is BullMQ's to finish; the run ends all the same.
 */
import type { Clock } from '../base/clock.ts';
import { day, formatInstant, second } from '../base/time.ts';
import { Wakeup, wakeOnAbort } from '../base/wakeup.ts';
import type { RunContext } from '../runs/context.ts';
import { isRunInterrupted } from '../runs/context.ts';
import { failureTypes } from '../runs/failure.ts';
import type { Action } from './action.ts';
import { ActionFailed, nothingBegan } from './action-failed.ts';
import type { BullmqJob } from './bullmq-driver.ts';
import type { BullmqInput, BullmqJobOptions } from './bullmq-kind.ts';
import { bullmqKind } from './bullmq-kind.ts';
import type { BullmqConnection, BullmqTarget } from './bullmq-queues.ts';
import { BullmqQueues } from './bullmq-queues.ts';

/** What may be set about BullMQ actions in a process. */
export interface BullmqOptions {
  /** The connection named `default`: a URL, or ioredis' options. */
  readonly connection?: BullmqConnection;
  /** Further ones, by the names that schedules use. */
  readonly connections?: Readonly<Record<string, BullmqConnection>>;
  /** Of BullMQ's keys; BullMQ's own default is `bull`. */
  readonly prefix?: string;
  /** Jobs waited for at once. Default 1000. */
  readonly concurrency?: number;
  /** Ms between two looks at a job that no event spoke of. Default 15 s. */
  readonly lookMs?: number;
}

export interface BullmqActionParts extends BullmqOptions {
  readonly clock: Clock;
}

/** What is stored with the action: the target, and the input of the schedule when it names no data. */
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

/** The same for every attempt of a slot. Colons are BullMQ's; the time keeps it from being a mere number. */
export function bullmqJobId({
  id,
  namespace,
  schedule,
  scheduledAt,
  cause,
}: Pick<RunContext, 'id' | 'namespace' | 'schedule' | 'scheduledAt' | 'cause'>): string {
  // Work without a schedule has no slot; its run is its identity.
  if (schedule === null) return `run@${id}`;
  const asked = cause === null || cause === 'auto' ? '' : `.${cause}`;
  const within = namespace === 'default' ? '' : `${namespace}/`;
  return `${within}${schedule}@${scheduledAt}${asked}`.replaceAll(':', '-');
}

/** BullMQ counts from 1, smaller first: high is 1, normal 5, low 10, and what lies between lies between. */
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
  const jobId = bullmqJobId(context);
  const target = await asking(context, undefined, () => queues.open(connection, queue));
  const options = optionsOf(context, jobId);
  const job = await asking(context, target, () =>
    target.queue.add(name, dataOf(context, parts.clock), options),
  );
  // With `deduplication` it may be a job that was there before.
  const followed = job.id ?? jobId;
  if (!follow) return { jobId: followed };
  return await ending(context, parts, { target, jobId: followed });
}

/** What goes wrong here is the connection; the same job id makes trying again harmless. */
async function asking<T>(
  context: RunContext<BullmqWork>,
  target: BullmqTarget | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const wasConnected = target?.isConnected() ?? false;
  try {
    return await ask();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ActionFailed({
      message: `BullMQ queue '${context.input.queue}': ${why}`,
      type: failureTypes.enqueueFailed,
      // Once a command could be on its way, it cannot be known whether the job is there.
      startFailed: !wasConnected && nothingBegan(context),
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
  // Listening begins before looking: what happens in between is heard.
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
    // The state first: a job that was read before its end would not know how it went.
    state = await target.queue.getJobState(jobId);
    job = await target.queue.getJob(jobId);
    if (job === undefined) state = 'gone';
  } catch {
    // Redis is away; the next look, or the next event, will tell.
    return undefined;
  }
  switch (state) {
    case 'completed':
      return { result: (job as BullmqJob).returnvalue ?? null };
    case 'failed':
      throw new ActionFailed({
        message: (job as BullmqJob).failedReason || 'the job failed without a reason',
        type: 'JobFailed',
        // BullMQ has made all the attempts it was asked for.
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

/** Only a wish to end the work takes the job back; a process that merely stops leaves it to the next one. */
async function withdraw({ queue }: BullmqTarget, jobId: string, reason: unknown): Promise<void> {
  const isWish = isRunInterrupted(reason) && (reason.kind === 'cancelled' || reason.kind === 'timedOut');
  if (!isWish) return;
  try {
    await queue.remove(jobId);
  } catch {
    // A worker has it, or Redis is away: there is nothing more that can be done from here.
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

/** The data, and under `_schedule` why the job exists; what is no object is put under `value`. */
function dataOf(context: RunContext<BullmqWork>, clock: Clock): object {
  const { input, id, schedule, scheduledAt, cause, attempt } = context;
  const { data = input.input ?? {} } = input;
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return {
    ...(isObject ? data : { value: data }),
    _schedule: {
      schedule_id: schedule,
      scheduled_at: formatInstant(scheduledAt),
      enqueued_at: formatInstant(clock.now()),
      trigger_type: triggerType(cause),
      run_id: id,
      attempt,
    },
  };
}

function triggerType(cause: string | null): 'cron' | 'manual' | 'backfill' {
  if (cause === null || cause === 'auto') return 'cron';
  return cause.startsWith('trigger') ? 'manual' : 'backfill';
}
