/** What a person must do about a workflow, in a sentence; null when the workflow goes on by itself. */
import { changeWords } from '../../host/change-words.ts';
import type { HostView } from '../../host/host.ts';

export function attentionOf({ state, key }: HostView, incident: string | null): string | null {
  if (incident !== null) return `quarantined: ${incident}; repair it, then release '${key.id}'`;
  const { block, work } = state;
  if (block === null) return null;
  if (block.kind === 'uncertain') {
    const what = work === null ? 'a change' : changeWords(work);
    const again = work?.change?.canReconcile === true ? ', ask again' : '';
    return `find out whether ${what} happened (key ${work?.change?.key}), then resolve it: it happened, it did not${again}, or skip`;
  }
  const what = work === null ? 'a run' : `'${work.handler}'`;
  return `${what} failed: ${block.message}; remove the cause, then resume '${key.id}'`;
}
