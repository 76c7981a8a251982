/** `carillon/store/memory` */
export type { MemoryStoreOptions } from './memory-store.ts';
export { MemoryStore } from './memory-store.ts';
