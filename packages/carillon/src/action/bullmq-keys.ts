/**
 * Reads what BullMQ keeps in Redis about repeated jobs. It reads the keys directly, because the library of one version
 * cannot read those of all others.
 */
import { createRequire } from 'node:module';
import { missingDriver } from '../base/missing-driver.ts';
import { packageFile } from '../base/optional-package.ts';
import { loadRedis } from './bullmq-driver.ts';

interface Reading {
  scan(cursor: string, ...words: readonly (string | number)[]): Promise<[string, string[]]>;
  zrange(key: string, from: number, to: number): Promise<string[]>;
  hgetall(key: string): Promise<Record<string, string>>;
  connect(): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  disconnect(): void;
}

export interface BullmqKeys {
  /** The queues that have repeated jobs. */
  queues(): Promise<readonly string[]>;
  /** The keys of the repeated jobs of a queue. */
  repeated(queue: string): Promise<readonly string[]>;
  /** The hash of a job scheduler; empty for a repeatable job of an older version. */
  scheduler(queue: string, key: string): Promise<Readonly<Record<string, string>>>;
  /** The job that waits for the next time of a repeated job. */
  waitingJob(
    queue: string,
    key: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ readonly data?: string; readonly opts?: string } | undefined>;
  close(): void;
}

/** The most waiting jobs of a queue that are looked through for the job of an old repeatable one. */
const mostJobs = 10_000;

export async function openBullmqKeys(url: string, prefix: string): Promise<BullmqKeys> {
  const { Redis } = await loadRedis();
  const options = { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null };
  const redis = new Redis(url, options) as unknown as Reading;
  let why: Error | undefined;
  redis.on('error', (error) => {
    why ??= error;
  });
  await redis.connect().catch((error: unknown) => {
    throw why ?? error;
  });
  const keyOf = (...parts: readonly string[]) => [prefix, ...parts].join(':');
  return {
    queues: async () => {
      const found = new Set<string>();
      let cursor = '0';
      do {
        const [next, keys] = await redis.scan(cursor, 'MATCH', `${escaped(prefix)}:*:repeat`, 'COUNT', 1000);
        for (const key of keys) found.add(key.slice(prefix.length + 1, -':repeat'.length));
        cursor = next;
      } while (cursor !== '0');
      return [...found].sort();
    },
    repeated: async (queue) => await redis.zrange(keyOf(queue, 'repeat'), 0, -1),
    scheduler: async (queue, key) => await redis.hgetall(keyOf(queue, 'repeat', key)),
    waitingJob: async (queue, key, { name }) => {
      for (const id of await redis.zrange(keyOf(queue, 'delayed'), 0, mostJobs - 1)) {
        if (!id.startsWith('repeat:')) continue;
        const job = await redis.hgetall(keyOf(queue, id));
        const isOf = job.rjk === key || id.startsWith(`repeat:${key}:`) || isMadeBy(job, key, name);
        if (isOf) return job;
      }
      return undefined;
    },
    close: () => redis.disconnect(),
  };
}

/** The oldest versions do not name the key in the job: name, zone and pattern tell it. */
function isMadeBy(job: Readonly<Record<string, string>>, key: string, name = key.split(':', 1)[0]): boolean {
  if (job.rjk !== undefined || job.name !== name || job.opts === undefined) return false;
  const { repeat = {} } = JSON.parse(job.opts) as {
    readonly repeat?: {
      readonly pattern?: string;
      readonly cron?: string;
      readonly every?: number;
      readonly tz?: string;
    };
  };
  const when = repeat.pattern ?? repeat.cron ?? repeat.every;
  return key.endsWith(`:${repeat.tz ?? ''}:${when}`);
}

function escaped(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

interface CronIterator {
  next(): { getTime(): number };
}
interface CronParser {
  readonly CronExpressionParser?: { parse(text: string, options: object): CronIterator };
  parseExpression?(text: string, options: object): CronIterator;
}

/** The cron parser that BullMQ itself uses: gives the times of a pattern after a time, one by one; infinity after the last. */
export async function loadCronReader(): Promise<
  (pattern: string, zone: string, after: number) => () => number
> {
  let parser: CronParser;
  try {
    parser = createRequire(packageFile('bullmq'))('cron-parser') as CronParser;
  } catch (error) {
    throw missingDriver(error, 'reading its patterns as BullMQ does', 'bullmq', 'bullmq ioredis');
  }
  return (pattern, zone, after) => {
    const options = { tz: zone, currentDate: new Date(after) };
    const times =
      parser.CronExpressionParser?.parse(pattern, options) ?? parser.parseExpression?.(pattern, options);
    return () => {
      try {
        return times?.next().getTime() ?? Number.POSITIVE_INFINITY;
      } catch {
        return Number.POSITIVE_INFINITY;
      }
    };
  };
}
