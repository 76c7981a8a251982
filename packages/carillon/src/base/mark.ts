/**
 * Marks that identify instances of Carillon's classes. A process may hold two copies of the library (an application
 * and the server beside it, or a bundle and a package), and `instanceof` knows only the class of its own copy. A mark
 * is a symbol of the global registry, so all copies share it.
 */

/**
 * Puts the mark `carillon.<name of the class>` on all instances of a class; call it in a static block of that class. The class
 * gets its name from the mark: a bundler may have given it another, and Node prints an error under the name of its class.
 */
export function markInstances(type: { readonly prototype: object }, mark: symbol): void {
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, 'name', { value: mark.description?.split('.').at(-1) });
}

/** Whether the value is an instance of the marked class, of any copy of the library. */
export function isMarked(value: unknown, mark: symbol): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { readonly [key: symbol]: unknown })[mark] === true
  );
}
