/**
 * Parts of the page with their own files: screens, dialogs, the palette. They are loaded when they are first shown, or before,
 * by `preload`. A part that could not be loaded says so where it would be, and can be asked for again.
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
    // Rendering again must not ask again, or a part that is gone would be asked for without end.
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
      // No caller waits for it; one that does asks again.
      forget();
    }
  };
  parts.push(preload);
  return Object.assign(Part, { preload });
}

/** Loads every part that the page knows of, one after the other: then nothing waits, also when the server goes away. */
export async function preloadParts(): Promise<void> {
  // Parts bring further ones.
  for (let next = 0; next < parts.length; next += 1) await parts[next]?.();
}

/** What could not be loaded is asked for again when it is next shown. */
export function forgetFailures(): void {
  for (const forget of failed) forget();
  failed.clear();
}
