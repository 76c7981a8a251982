/** `carillon/store/postgres` */
export type { DriverConfig } from './address.ts';
export type { PostgresStoreOptions } from './postgres-store.ts';
export { PostgresStore } from './postgres-store.ts';
