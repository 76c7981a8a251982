/**
 * Jobs that change many runs one by one. A job is a document, so that it survives the process that works on it; a node that is
 * asked about a job whose worker went silent works on it again, which is harmless because each change is idempotent.
 */
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/error.ts';
import type { Instant } from '../base/time.ts';
import { addTime, minute, second } from '../base/time.ts';
import type { Document } from '../store/documents.ts';
import { Documents } from '../store/documents.ts';
import type { Store } from '../store/store.ts';

export interface BatchJob {
  /** What the door that started it needs to work on it, as JSON. */
  readonly order: unknown;
  readonly identity: string;
  readonly reason: string;
  readonly state: 'running' | 'completed' | 'failed';
  readonly startedAt: Instant;
  readonly seenAt: Instant;
  readonly closedAt: Instant | null;
  readonly total: number;
  readonly complete: number;
  readonly failed: number;
  readonly isStopping: boolean;
}

export type JobDocument = Document<BatchJob>;

/** Works on a job. `progress` stores how far it has come, and returns whether the job must stop. */
export type BatchWork = (
  job: BatchJob,
  progress: (done: Pick<BatchJob, 'total' | 'complete' | 'failed'>) => Promise<boolean>,
) => Promise<void>;

export interface BatchJobsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly trouble: (error: unknown) => void;
}

const kind = '@batch';
/** Progress is written at most this often. */
const writtenEveryMs = second;
/** A job that was not written for this long has lost its process. */
const silentAfterMs = minute;
/** Jobs of a namespace; the oldest finished ones are forgotten. */
const mostJobs = 100;

export class BatchJobs {
  readonly #options: BatchJobsOptions;
  readonly #documents: Documents<BatchJob>;
  readonly #active = new Set<string>();

  constructor(options: BatchJobsOptions) {
    this.#options = options;
    this.#documents = new Documents({ ...options, kind });
  }

  /** Starts a job and works on it in the background. The same id again is refused. */
  async start(
    name: { readonly namespace: string; readonly id: string },
    job: Pick<BatchJob, 'order' | 'identity' | 'reason'>,
    work: BatchWork,
  ): Promise<void> {
    const { namespace, id } = name;
    await this.#documents.change(namespace, id, (before, now) => {
      if (before !== undefined) throw jobExists(id);
      const counts = { total: 0, complete: 0, failed: 0 };
      return {
        ...job,
        ...counts,
        state: 'running',
        startedAt: now,
        seenAt: now,
        closedAt: null,
        isStopping: false,
      };
    });
    await this.#forgetSome(namespace);
    void this.#carryOn(namespace, id, work);
  }

  /** The jobs of a namespace, newest first. */
  async list(namespace: string, work: BatchWork): Promise<readonly JobDocument[]> {
    const jobs = await this.#documents.all(namespace);
    for (const job of jobs) this.#resume(job, work);
    return [...jobs].sort((a, b) => b.createdAt - a.createdAt);
  }

  async get(namespace: string, id: string, work: BatchWork): Promise<JobDocument> {
    const job = await this.#documents.get(namespace, id);
    if (job === undefined) throw jobNotFound(id);
    this.#resume(job, work);
    return job;
  }

  async stop(namespace: string, id: string): Promise<void> {
    await this.#documents.change(namespace, id, (job) => {
      if (job === undefined) throw jobNotFound(id);
      return { ...job, isStopping: true };
    });
  }

  #resume({ namespace, id, data }: JobDocument, work: BatchWork): void {
    const isSilent = addTime(data.seenAt, silentAfterMs) < this.#options.clock.now();
    if (data.state === 'running' && isSilent) void this.#carryOn(namespace, id, work);
  }

  async #carryOn(namespace: string, id: string, work: BatchWork): Promise<void> {
    const key = `${namespace}\0${id}`;
    if (this.#active.has(key)) return;
    this.#active.add(key);
    const write = (fields: (now: Instant) => Partial<BatchJob>) =>
      this.#documents.change(namespace, id, (job, now) =>
        job === undefined ? null : { ...job, ...fields(now), seenAt: now },
      );
    try {
      const job = await write(() => ({}));
      if (job === null || job.state !== 'running') return;
      let writtenAt = this.#options.clock.now();
      let isStopping = job.isStopping;
      let latest: Partial<BatchJob> = {};
      await work(job, async (done) => {
        latest = done;
        if (this.#options.clock.now() >= addTime(writtenAt, writtenEveryMs)) {
          writtenAt = this.#options.clock.now();
          isStopping = (await write(() => done))?.isStopping ?? true;
        }
        return isStopping;
      });
      await write((now) => ({ ...latest, state: 'completed', closedAt: now }));
    } catch (error) {
      this.#options.trouble(error);
      await write((now) => ({ state: 'failed', closedAt: now })).catch(() => undefined);
    } finally {
      this.#active.delete(key);
    }
  }

  async #forgetSome(namespace: string): Promise<void> {
    const jobs = (await this.#documents.all(namespace)).filter(({ data }) => data.state !== 'running');
    const oldest = [...jobs].sort((a, b) => b.createdAt - a.createdAt).slice(mostJobs);
    for (const { id } of oldest) await this.#documents.change(namespace, id, () => null);
  }
}

function jobExists(id: string): ServiceError {
  return new ServiceError({
    code: 'alreadyExists',
    reason: 'ALREADY_EXISTS',
    message: `a batch operation with the id '${id}' exists already`,
  });
}

function jobNotFound(id: string): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `there is no batch operation '${id}'`,
  });
}
