/** Only for `@carillon/server` of the same version; may change without notice. */
export type { Carillon, CarillonObserver } from '../embed/carillon.ts';
export { internalsOf } from '../embed/internals.ts';
