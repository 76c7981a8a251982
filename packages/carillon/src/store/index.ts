/** `carillon/store`: the contract that every body of the store fulfils, for those who write another one. */
export type { StoreTrouble } from './error.ts';
export { isStoreError, StoreError } from './error.ts';
export type * from './records.ts';
export type * from './store.ts';
