/** The Redis driver, an optional peer: loaded when the first Redis store connects, and named in the error when it is absent. */
import type { Cluster, ClusterOptions, Redis, RedisOptions } from 'ioredis';
import { missingDriver } from '../../base/missing-driver.ts';
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
    throw missingDriver(error, 'the Redis store', 'ioredis');
  }
}
