/**
 * An assumption about Carillon's own code is false: a bug. It is never caught to continue; the engine quarantines the
 * execution.
 */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/**
 * Throws when the condition does not hold. Pass a message that has to be built as a function, so that a condition
 * that holds costs nothing.
 */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantViolation(typeof message === 'string' ? message : message());
}

/** Ends an exhaustive switch. It compiles only when every case is handled. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable case: ${JSON.stringify(value)}`);
}
