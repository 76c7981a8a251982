/** A belief about our own code turned out false. Never caught to continue: the execution is quarantined. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

/** Ends an exhaustive switch: compiles only when every case was handled. */
export function unreachable(value: never): never {
  throw new InvariantViolation(`unreachable case: ${JSON.stringify(value)}`);
}
