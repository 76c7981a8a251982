/**
 * The zone tables with which the server schedules, for screens that draw times. They are loaded when the page is idle, because
 * the browser's own zones are the same except for changes that are newer than the browser.
 */
import { useEffect, useState } from 'react';
import { whenIdle } from '../data/idle.ts';

/** Renders again when the tables are loaded. */
export function useZoneTables(): void {
  const [, setThere] = useState(false);
  useEffect(() => {
    let isGone = false;
    whenIdle(() => {
      if (isGone) return;
      import('./zone-tables.ts').then(
        () => setThere(true),
        // Without the tables, the browser's own zones are used.
        () => {},
      );
    });
    return () => {
      isGone = true;
    };
  }, []);
}
