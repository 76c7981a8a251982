/**
 * A row that a later version of the code wrote. During a rolling upgrade that is ordinary: the row is not broken, but this
 * node cannot read it and leaves it to nodes that can.
 */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';
}
