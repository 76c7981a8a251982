/** For `@carillon/server` of the same version only; no promises. */
export type { CursorPart } from '../store/cursor.ts';
export { decodeCursor, encodeCursor } from '../store/cursor.ts';
export { isStoreError, StoreError, storeTroubles } from '../store/error.ts';
export { matchesFilter } from '../store/filter.ts';
export { compareText } from '../store/order.ts';
export type { Attributes, AttributeValue, RunOutcome, RunRow, RunState } from '../store/records.ts';
export { runOutcomes } from '../store/records.ts';
export type { Change, Filter, RunQuery, Store } from '../store/store.ts';
export { selectionKinds } from '../store/store.ts';
