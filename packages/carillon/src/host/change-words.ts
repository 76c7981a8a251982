/** A change of the outside world in a sentence. */
import type { Work } from './host.ts';

/** A change is often called like its consumer; then one name is enough. */
export function changeWords({ handler, change }: Pick<Work, 'handler' | 'change'>): string {
  if (change === null) return `a change of '${handler}'`;
  if (change.name === handler) return `the change of '${handler}'`;
  return `the change '${change.name}' of '${handler}'`;
}
