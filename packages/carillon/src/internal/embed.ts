/** For `@carillon/server` of the same version only; no promises. */
export type { Carillon, CarillonObserver } from '../embed/carillon.ts';
export { internalsOf } from '../embed/internals.ts';
