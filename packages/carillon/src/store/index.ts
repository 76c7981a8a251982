/** `carillon/store`: the contract that every store fulfils, for authors of another store. */
export type { StoreTrouble, TakenName } from './error.ts';
export { isStoreError, StoreError } from './error.ts';
export type * from './records.ts';
export type * from './store.ts';
