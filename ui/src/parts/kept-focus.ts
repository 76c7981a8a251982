import type { FocusEvent, RefObject } from 'react';
import { useLayoutEffect, useRef } from 'react';

interface KeptFocus<E extends HTMLElement> {
  readonly ref: RefObject<E | null>;
  readonly tabIndex: -1;
  readonly onFocus: (event: FocusEvent) => void;
}

/**
 * For a part of the page whose controls come and go: when the focused one disappears, such as an answer that was given, the part itself
 * takes the focus, so that the keyboard goes on from there and not from the top of the page.
 */
export function useKeptFocus<E extends HTMLElement>(): KeptFocus<E> {
  const ref = useRef<E>(null);
  const last = useRef<Element>(undefined);
  useLayoutEffect(() => {
    if (last.current === undefined || last.current.isConnected) return;
    last.current = undefined;
    if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  });
  const onFocus = ({ target }: FocusEvent) => {
    last.current = target;
  };
  return { ref, tabIndex: -1, onFocus };
}
