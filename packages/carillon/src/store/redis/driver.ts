/** The Redis driver, an optional peer: loaded when the first Redis store connects, and named in the error when it is absent. */
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { ServiceError } from '../../base/error.ts';
import { importPackage } from '../../base/optional-package.ts';

export type Client = Redis | Cluster;

export interface Driver {
  readonly Redis: new (options: RedisOptions) => Redis;
  readonly Cluster: new (
    nodes: readonly { readonly host: string; readonly port: number }[],
    options: ClusterOptions,
  ) => Cluster;
}

export async function loadDriver(
  load: () => Promise<unknown> = () => importPackage('ioredis'),
): Promise<Driver> {
  try {
    return (await load()) as Driver;
  } catch (error) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'DRIVER_MISSING',
      message: 'the Redis store needs the package ioredis, which is not installed: npm install ioredis',
      cause: error,
    });
  }
}
