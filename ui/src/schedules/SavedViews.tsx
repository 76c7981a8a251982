/** The views that were saved on the server, as tabs, and the way to save another. The list of schedules does not wait for them. */
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { readScheduleQuery } from 'carillon/client';
import { useState } from 'react';
import { troubleOf, useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { Icon } from '../parts/Icon.tsx';
import { showToast } from '../parts/toast.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { countText } from '../time/text.ts';
import { countsQuery } from './query.ts';
import type { ViewsProps } from './Views.tsx';
import { needy } from './Views.tsx';

const SaveView = lazyDialog(async () => (await import('./SaveView.tsx')).SaveView);

export function SavedViews({ q, sort, onPick }: Omit<ViewsProps, 'counts'>) {
  const scope = useScope();
  const client = useQueryClient();
  const mayChange = useMayChange();
  const [isSaving, setSaving] = useState(false);
  const key = [scope.namespace, 'views'];
  const saved =
    useQuery({
      queryKey: key,
      queryFn: async ({ signal }) => await scope.api.views.list({ signal }),
      staleTime: 60_000,
    }).data?.filter(({ place }) => place === 'schedules') ?? [];
  const counts = useViewCounts(saved);
  const isSaved = saved.some(({ query }) => (new URLSearchParams(query).get('q') ?? '') === q);
  const remove = async (name: string) => {
    try {
      await scope.api.views.remove(name);
      showToast({ family: 'ran', text: `Removed the view ${name}`, detail: 'Its query is still shown.' });
    } catch (error) {
      showToast({
        family: 'fail',
        text: `The view ${name} is still there`,
        detail: troubleOf(error).message,
      });
    }
    await client.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      {saved.map(({ name, query }, place) => {
        const count = counts[place];
        const search = new URLSearchParams(query);
        const isHere = q !== '' && (search.get('q') ?? '') === q;
        return (
          <span key={name} className="flex items-center">
            <button
              type="button"
              className="tab"
              aria-current={isHere ? 'page' : undefined}
              onClick={() =>
                onPick({ q: search.get('q') ?? undefined, sort: search.get('sort') ?? undefined })
              }
            >
              {name} {count !== undefined && <span aria-hidden="true">{countText(count)}</span>}
            </button>
            {isHere && mayChange && (
              <button
                type="button"
                className="btn quiet icon"
                aria-label={`Remove the view ${name}`}
                onClick={() => void remove(name)}
              >
                <Icon name="close" />
              </button>
            )}
          </span>
        );
      })}
      {q !== '' && q !== needy && !isSaved && mayChange && (
        <button type="button" onClick={() => setSaving(true)}>
          + Save this view
        </button>
      )}
      {isSaving && (
        <SaveView
          q={q}
          sort={sort}
          known={saved.map(({ name }) => name)}
          onClose={() => setSaving(false)}
          onSaved={() => client.invalidateQueries({ queryKey: key })}
        />
      )}
    </>
  );
}

/** The most views with a count. Each count is a request, which is repeated less often than those of the screen. */
const mostCounted = 8;

function useViewCounts(views: readonly { readonly query: string }[]): readonly (number | undefined)[] {
  const scope = useScope();
  return useQueries({
    queries: views.slice(0, mostCounted).map(({ query }) => ({
      ...countsQuery(scope, readScheduleQuery(new URLSearchParams(query).get('q') ?? '').filters),
      staleTime: 30_000,
    })),
  }).map(({ data }) => data?.total);
}
