/** What a clock change does to a schedule, in words. */
import type { Look } from '../verdict/verdict.ts';

export const effects: Readonly<Record<string, { readonly look: Look; readonly text: string }>> = {
  skipped: { look: 'dstGap', text: 'Left out' },
  shifted: { look: 'startedLate', text: 'Runs later' },
  merged: { look: 'coalesced', text: 'Merged' },
  doubled: { look: 'dstFold', text: 'Runs twice' },
  first: { look: 'started', text: 'Runs the first time' },
  second: { look: 'started', text: 'Runs the second time' },
};
