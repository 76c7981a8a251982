/** Suggests a similar name for a mistyped word. */
import { useQuery } from '@tanstack/react-query';
import { readScheduleQuery } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { nearestOf } from './near.ts';

interface NearMissProps {
  readonly q: string;
  /** Called with the query to search for instead. */
  readonly onPick: (q: string) => void;
}

/** The most names with the same beginning that are compared with a mistyped word. */
const mostNames = 200;

export function NearMiss({ q, onPick }: NearMissProps) {
  const scope = useScope();
  const word = readScheduleQuery(q).filters.text ?? '';
  const names = useQuery({
    queryKey: [scope.namespace, 'near', word.slice(0, 2)],
    queryFn: async ({ signal }) => {
      const page = { sort: 'id', text: word.slice(0, 2), limit: mostNames } as const;
      return (await scope.api.insight.schedules(page, { signal })).items.map(({ id }) => id);
    },
    enabled: word.length >= 3,
  }).data;
  const near = names === undefined ? undefined : nearestOf(word, names);
  if (near === undefined) return null;
  return (
    <span className="block">
      Did you mean{' '}
      <button type="button" className="link" onClick={() => onPick(q.replace(word, near))}>
        {near}
      </button>
      ?
    </span>
  );
}
