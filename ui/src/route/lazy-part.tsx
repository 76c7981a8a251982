/**
 * Parts of the page in files of their own: screens, dialogs, the palette. They are loaded when they are first shown, or earlier
 * with `preload`. A part that could not be loaded shows an error in its place, from where it can be loaded again.
 */
import type { ComponentType } from 'react';
import { use } from 'react';

export interface LazyPart<P> {
  (props: P): React.ReactNode;
  readonly preload: () => Promise<void>;
}

const failed = new Set<() => void>();
const parts: (() => Promise<void>)[] = [];

export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let body: ComponentType<P> | undefined;
  let loading: Promise<ComponentType<P>> | undefined;
  const forget = () => {
    loading = undefined;
  };
  const begin = () => {
    loading ??= load().then((loaded) => {
      body = loaded;
      return loaded;
    });
    // Another render must not load again, or a missing part would be requested for ever.
    loading.catch(() => failed.add(forget));
    return loading;
  };
  const Part = (props: P) => {
    const Body = body ?? use(begin());
    return <Body {...props} />;
  };
  const preload = async () => {
    try {
      await begin();
    } catch {
      // No caller waits for the preload; showing the part loads it again.
      forget();
    }
  };
  parts.push(preload);
  return Object.assign(Part, { preload });
}

/** Loads all known parts one after the other, so that they can be shown at once, even when the server is unreachable. */
export async function preloadParts(): Promise<void> {
  // A loaded part may add further parts to the list.
  for (let next = 0; next < parts.length; next += 1) await parts[next]?.();
}

/** Forgets failed loads, so that each part is loaded again when it is next shown. */
export function forgetFailures(): void {
  for (const forget of failed) forget();
  failed.clear();
}
