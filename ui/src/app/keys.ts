/** Keys of the page: single letters that do nothing while a person types, and `g` followed by a letter. */
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/** The key that is held for a command. */
export const commandKey = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl';

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** How long `g` waits for its second letter. */
const prefixMs = 1200;

/** Not zero: event times count from the load of the page, so the first keys would seem to follow a `g`. */
const never = Number.NEGATIVE_INFINITY;

/** Names: `j`, `Enter`, `?`, `g s`. A dialog above the page takes all keys. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let prefixed = never;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('[aria-modal="true"]') !== null) return;
      const name = event.timeStamp - prefixed < prefixMs ? `g ${event.key}` : event.key;
      prefixed = event.key === 'g' ? event.timeStamp : never;
      const run = latest.current[name];
      if (run === undefined) return;
      event.preventDefault();
      // The change is drawn before the next key, which acts on what the screen then shows.
      flushSync(() => run(event));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
