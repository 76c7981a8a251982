/** Who made and revoked API keys, newest first. */
import { useQuery } from '@tanstack/react-query';
import { ChangeRow } from '../audit/ChangeRow.tsx';
import { openApi } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { usePageZone } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { keyChanges, keysNamespace } from './key-changes.ts';

const mostShown = 50;

export function KeyChanges() {
  const zone = usePageZone();
  const now = useNow();
  const { data, error, refetch } = useQuery({
    queryKey: keyChanges,
    queryFn: async ({ signal }) => await openApi(keysNamespace).audit.list({ limit: mostShown }, { signal }),
  });
  if (data === undefined)
    return error === null ? (
      <SkeletonRows rows={2} height={48} />
    ) : (
      <Failed what="The history of the keys" error={error} onRetry={() => void refetch()} />
    );
  return (
    <div className="border-t border-line">
      {data.items.length === 0 ? (
        <p className="body t3">
          No key has been made or revoked on this server. Those of the configuration file are not in the
          audit.
        </p>
      ) : (
        <ul aria-label="History of the API keys">
          {data.items.map((entry, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name of its own
            <ChangeRow key={place} entry={entry} zone={zone} now={now} />
          ))}
        </ul>
      )}
      <div className="border-t border-line p-4">
        <Command text={`carillon audit --namespace ${keysNamespace}`} />
      </div>
    </div>
  );
}
