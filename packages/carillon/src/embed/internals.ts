/**
 * The internal parts of a Carillon, for the packages of this repository: the server, the periodic registry and the
 * tests. They are not on the public class, because changes that bypass the services are neither checked nor audited.
 */
import { version } from '../base/version.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Services } from '../service/services.ts';
import type { Warnings } from './warnings.ts';

export interface Internals {
  /** The version of the library that made the Carillon. */
  readonly version: string;
  readonly runtime: Runtime;
  readonly services: Services;
  /** The warnings that the Carillon gives by itself; absent when it gives none. */
  readonly warnings?: Warnings;
}

/**
 * A symbol of the global registry, so that a server finds the parts of a Carillon that another copy of the library
 * made.
 */
const key = Symbol.for('carillon.internals');

export function keepInternals(carillon: object, internals: Omit<Internals, 'version'>): void {
  Object.defineProperty(carillon, key, { value: { ...internals, version } });
}

export function internalsOf(carillon: object): Internals {
  // Only `keepInternals` writes under this symbol.
  const internals = (carillon as { readonly [key]?: Internals })[key];
  if (internals === undefined) throw new TypeError('this is not a Carillon; open one with openCarillon()');
  return internals;
}
