/**
 * The zone tables that the server schedules by, for screens that draw times. They come when nothing else is to do: what the
 * browser knows is the same, but for changes that are newer than the browser.
 */
import { useEffect, useState } from 'react';
import { whenIdle } from '../data/idle.ts';

/** Draws again when the tables are there. */
export function useZoneTables(): void {
  const [, setThere] = useState(false);
  useEffect(() => {
    let isGone = false;
    whenIdle(() => {
      if (isGone) return;
      import('./zone-tables.ts').then(
        () => setThere(true),
        // Then the browser's own knowledge stays.
        () => {},
      );
    });
    return () => {
      isGone = true;
    };
  }, []);
}
