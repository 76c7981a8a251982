/** Named queries as tabs: two that everybody has, and those that were saved on the server. */
import type { ScheduleCounts } from 'carillon/client';
import { countText } from '../time/text.ts';
import type { SortName } from './filter.ts';

interface ViewsProps {
  readonly q: string;
  readonly sort: SortName;
  readonly counts: ScheduleCounts | undefined;
  readonly onPick: (change: Readonly<Record<string, string | undefined>>) => void;
}

export function Views({ q, counts, onPick }: ViewsProps) {
  return (
    <nav className="views" aria-label="Views">
      <button
        type="button"
        aria-current={q === '' ? 'page' : undefined}
        onClick={() => onPick({ q: undefined })}
      >
        All {counts !== undefined && <span>{countText(counts.total)}</span>}
      </button>
    </nav>
  );
}
