/** The server's time. One timer for the whole page ticks once a second; it stops while the page is hidden. */
import { useSyncExternalStore } from 'react';

/** The server's clock minus this machine's. */
let skew = 0;
let ticked = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

/** Sets the present time of the server's clock. Differences below two seconds are ignored, because the answer was on its way. */
export function setServerTime(now: number): void {
  const measured = now - Date.now();
  skew = Math.abs(measured) < 2000 ? 0 : measured;
  tick();
}

export function serverNow(): number {
  return Date.now() + skew;
}

function tick(): void {
  ticked = serverNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    ticked = serverNow();
    timer = setInterval(() => {
      if (!document.hidden) tick();
    }, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Renders again every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => ticked);
}

const minute = () => Math.floor(ticked / 60_000) * 60_000;

/** Renders again every minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, minute);
}
