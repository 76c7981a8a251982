/**
 * The parts of `bullmq` and `ioredis` that actions use, as types of this package. Both packages are optional peers,
 * and declarations with their types would not compile without them.
 */
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

export async function loadBullmq(): Promise<BullmqDriver> {
  return (await load('bullmq')) as BullmqDriver;
}

export async function loadRedis(): Promise<RedisDriver> {
  return (await load('ioredis')) as RedisDriver;
}

async function load(name: string): Promise<unknown> {
  try {
    return await importPackage(name);
  } catch (error) {
    throw new Error(`the package ${name} cannot be loaded: npm install bullmq ioredis`, { cause: error });
  }
}
