/** A belief about our own code turned out false. Never caught to continue: the execution is quarantined. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

/** A message that must be put together is given as a function: asserting costs nothing as long as it holds. */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantViolation(typeof message === 'string' ? message : message());
}

/** Ends an exhaustive switch: compiles only when every case was handled. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable case: ${JSON.stringify(value)}`);
}
