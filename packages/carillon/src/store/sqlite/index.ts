/** `carillon/store/sqlite` */
export type { Durability } from './connection.ts';
export type { SqliteStoreOptions } from './sqlite-store.ts';
export { SqliteStore } from './sqlite-store.ts';
