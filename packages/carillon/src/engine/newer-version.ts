/**
 * What was stored by a later version of the code. During a rolling upgrade that is ordinary: the row is not broken, it is
 * only not for this node, which leaves it to those that can read it.
 */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';
}
