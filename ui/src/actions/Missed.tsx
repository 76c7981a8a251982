/** What becomes of the slots of a pause. Without such slots nothing is asked. */
import { useQuery } from '@tanstack/react-query';
import { useScope } from '../data/api.ts';
import { Choice } from './Choice.tsx';
import { missedCount, missedOfMany, missedOfOne, missedTitle } from './missed.ts';

interface MissedProps {
  /** The schedule; absent when there are many. */
  readonly id?: string;
  readonly value: string;
  readonly onChange: (missed: string) => void;
}

export function Missed({ id, value, onChange }: MissedProps) {
  const { api, namespace } = useScope();
  const { data: told } = useQuery({
    queryKey: [namespace, 'dryRun', 'resume', id, 'ways'],
    queryFn: async ({ signal }) => {
      const way = async (missed: 'skip' | 'once' | 'all') =>
        await api.dryRun.resume(id ?? '', { missed }, { signal });
      const [skip, once, all] = await Promise.all([way('skip'), way('once'), way('all')]);
      return { skip, once, all };
    },
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const of = { name: 'missed', value, onChange };
  if (id === undefined)
    return <Choice {...of} legend="Slots that fell into the pauses" options={missedOfMany} />;
  if (told === undefined || missedCount(told.skip) === 0) return null;
  return <Choice {...of} legend={missedTitle(missedCount(told.skip))} options={missedOfOne(told)} />;
}
