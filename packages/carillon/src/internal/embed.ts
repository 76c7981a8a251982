/** Only for `@carillon/server` of the same version; may change without notice. The Carillon that a server opens, and the defaults of its settings. */
export type { Carillon, CarillonObserver } from '../embed/carillon.ts';
export { internalsOf } from '../embed/internals.ts';
export { defaultOperatorSettings } from '../scheduler/operator-settings.ts';
