/** Named queries as tabs: all, those that need attention, and those that were saved on the server. */
import type { ScheduleCounts } from 'carillon/client';
import type { ComponentType } from 'react';
import { useEffect, useState } from 'react';
import { useLater } from '../data/later.ts';
import { useLiveState } from '../live/live.ts';
import type { Search } from '../route/search.ts';
import { countText } from '../time/text.ts';
import type { SortName } from './filter.ts';

export interface ViewsProps {
  readonly q: string;
  readonly sort: SortName;
  readonly counts: ScheduleCounts | undefined;
  readonly onPick: (change: Search) => void;
}

/** The query of the schedules that need a person; it is a fixed view and cannot be saved again. */
export const needy = 'is:attention';

export function Views({ q, sort, counts: all, onPick }: ViewsProps) {
  const SavedViews = useSavedViews();
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
      {SavedViews !== undefined && <SavedViews q={q} sort={sort} onPick={onPick} />}
    </nav>
  );
}

/** Their file comes after the list. Without a server the list goes on without them, and they come when it answers again. */
function useSavedViews(): ComponentType<Omit<ViewsProps, 'counts'>> | undefined {
  const isLater = useLater();
  const { is } = useLiveState();
  const [Body, setBody] = useState<ComponentType<Omit<ViewsProps, 'counts'>>>();
  const isWanted = isLater && Body === undefined && is !== 'offline';
  useEffect(() => {
    if (!isWanted) return;
    import('./SavedViews.tsx').then(
      ({ SavedViews }) => setBody(() => SavedViews),
      () => {},
    );
  }, [isWanted]);
  return Body;
}
