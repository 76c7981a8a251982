/** Findings of the linter. It is loaded after the form, because it is as large as half of the page. */
import { useEffect, useMemo, useState } from 'react';
import { useLater } from '../data/later.ts';
import type { Draft } from './draft.ts';
import type { Finding, Known } from './lint.ts';

type FindingsOf = (draft: Draft, known: Known) => readonly Finding[];

/** Empty while the draft cannot be read. */
export function useFindings(draft: Draft | undefined, known: Known): readonly Finding[] {
  const isLater = useLater();
  const [findingsOf, setFindingsOf] = useState<FindingsOf>();
  useEffect(() => {
    if (isLater) void import('./lint.ts').then((lint) => setFindingsOf(() => lint.findingsOf));
  }, [isLater]);
  const { id, seed, now, zone, slowRunMs } = known;
  return useMemo(
    () =>
      findingsOf === undefined || draft === undefined
        ? []
        : findingsOf(draft, { id, seed, now, zone, slowRunMs }),
    [findingsOf, draft, id, seed, now, zone, slowRunMs],
  );
}
