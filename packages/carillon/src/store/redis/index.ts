/** `carillon/store/redis`: the store on Redis. Needs the package `ioredis`. */
export type { DriverConfig } from './address.ts';
export type { RedisStoreOptions } from './redis-store.ts';
export { RedisStore } from './redis-store.ts';
