/** What a change of a run, or of a workflow, would do: asked of the server, which changes nothing. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { WorkEffects } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { Refused } from './Refused.tsx';
import { WillHappen } from './WillHappen.tsx';

interface WorkPreviewProps {
  /** Tells this change from others. */
  readonly change: readonly unknown[];
  readonly ask: (signal: AbortSignal) => Promise<WorkEffects>;
}

export function WorkPreview({ change, ask }: WorkPreviewProps) {
  const { namespace } = useScope();
  const { data, error } = useQuery({
    queryKey: [namespace, 'dryRun', ...change],
    queryFn: async ({ signal }) => await ask(signal),
    staleTime: 0,
    gcTime: 0,
    placeholderData: keepPreviousData,
  });
  if (error !== null) return <Refused error={error} />;
  if (data === undefined) return <SkeletonBox height={40} />;
  const isNothing = data.runs.length === 0 && data.events.length === 0;
  return <WillHappen family={isNothing ? 'spec' : 'busy'} text={data.text} />;
}
