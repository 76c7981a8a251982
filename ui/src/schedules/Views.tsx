/** Named queries as tabs: all, those that need attention, and those that were saved on the server. */
import type { ScheduleCounts } from 'carillon/client';
import { Suspense } from 'react';
import { useLater } from '../data/later.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Search } from '../route/search.ts';
import { countText } from '../time/text.ts';
import type { SortName } from './filter.ts';

const SavedViews = lazyPart(async () => (await import('./SavedViews.tsx')).SavedViews);

export interface ViewsProps {
  readonly q: string;
  readonly sort: SortName;
  readonly counts: ScheduleCounts | undefined;
  readonly onPick: (change: Search) => void;
}

/** The query of the schedules that need a person; it is a fixed view and cannot be saved again. */
export const needy = 'is:attention';

export function Views({ q, sort, counts: all, onPick }: ViewsProps) {
  const isLater = useLater();
  return (
    <nav className="views" aria-label="Views">
      <button
        type="button"
        aria-current={q === '' ? 'page' : undefined}
        onClick={() => onPick({ q: undefined })}
      >
        All {all !== undefined && <span>{countText(all.total)}</span>}
      </button>
      {all !== undefined && all.attention > 0 && (
        <button
          type="button"
          aria-current={q === needy ? 'page' : undefined}
          onClick={() => onPick({ q: needy, sort: undefined })}
        >
          Needs attention <span>{countText(all.attention)}</span>
        </button>
      )}
      {isLater && (
        <Suspense>
          <SavedViews q={q} sort={sort} onPick={onPick} />
        </Suspense>
      )}
    </nav>
  );
}
