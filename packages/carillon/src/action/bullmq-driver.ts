/**
 * The parts of `bullmq` and `ioredis` that actions use, as types of this package. Both packages are optional peers,
 * and declarations with their types would not compile without them.
 */
import { missingDriver } from '../base/missing-driver.ts';
import { importPackage } from '../base/optional-package.ts';

/** A job of a queue. */
export interface BullmqJob {
  readonly id?: string;
  readonly returnvalue: unknown;
  readonly failedReason?: string;
  readonly attemptsMade: number;
}

export interface BullmqQueue {
  add(name: string, data: unknown, options: object): Promise<BullmqJob>;
  getJobState(jobId: string): Promise<string>;
  getJob(jobId: string): Promise<BullmqJob | undefined>;
  remove(jobId: string): Promise<unknown>;
  on(event: 'error', listener: () => void): unknown;
  close(): Promise<void>;
}

export interface BullmqEvents {
  on(event: string, listener: (told: { readonly jobId: string }) => void): unknown;
  close(): Promise<void>;
}

export interface BullmqDriver {
  readonly Queue: new (name: string, options: object) => BullmqQueue;
  readonly QueueEvents: new (name: string, options: object) => BullmqEvents;
}

export interface RedisClient {
  readonly status: string;
  time(): Promise<readonly (string | number)[]>;
  duplicate(options: object): RedisClient;
  on(event: 'error', listener: () => void): unknown;
  disconnect(): void;
}

export interface RedisDriver {
  readonly Redis: {
    new (url: string, options: object): RedisClient;
    new (options: object): RedisClient;
  };
}

export async function loadBullmq(importing = importPackage): Promise<BullmqDriver> {
  return (await load('bullmq', importing)) as BullmqDriver;
}

export async function loadRedis(importing = importPackage): Promise<RedisDriver> {
  return (await load('ioredis', importing)) as RedisDriver;
}

async function load(name: string, importing: typeof importPackage): Promise<unknown> {
  try {
    return await importing(name);
  } catch (error) {
    throw missingDriver(error, 'work on BullMQ', name, 'bullmq ioredis');
  }
}
