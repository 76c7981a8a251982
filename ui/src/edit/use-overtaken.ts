/** Listens whether the definition is saved elsewhere, so that the form can say so before its own save is refused. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useScope } from '../data/api.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';

const replacing = new Set<unknown>(['update', 'patch', 'deploy']);

/** Calls when the definition was saved elsewhere. */
export function useOvertaken(id: string, onSaved: () => unknown): void {
  const { namespace } = useScope();
  const client = useQueryClient();
  const latest = useRef(onSaved);
  latest.current = onSaved;
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        const isSaved = events.some(
          ({ type, data }) => type === 'edited' && data.schedule === id && replacing.has(data.action),
        );
        if (!isSaved) return;
        latest.current();
        void client.invalidateQueries({ queryKey: [namespace, 'schedule', id, 'version'] });
      },
      [client, namespace, id],
    ),
  );
}
