/** A dialog in a file of its own. If it cannot be loaded, an error appears in the corner, and the screen below keeps working. */
import type { ComponentType } from 'react';
import { Suspense, useEffect, useRef } from 'react';
import { collectTyped } from '../parts/typed-ahead.ts';
import { styled } from '../style/styled.ts';
import { Boundary } from './Boundary.tsx';
import type { LazyPart } from './lazy-part.tsx';
import { lazyPart } from './lazy-part.tsx';

interface Closable {
  readonly onClose: (isDone: boolean) => void;
}

export function lazyDialog<P extends Closable>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  const Body = lazyPart(async () => await styled(load));
  const Dialog = (props: P) => (
    <Boundary onClose={() => props.onClose(false)}>
      <Suspense fallback={<Opening onClose={props.onClose} />}>
        <Body {...props} />
      </Suspense>
    </Boundary>
  );
  return Object.assign(Dialog, { preload: Body.preload });
}

/** Shown while the dialog is loaded, so that typed letters do not act as keyboard shortcuts of the page. */
function Opening({ onClose }: Closable) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => collectTyped(() => close.current(false)), []);
  return <div role="dialog" aria-modal="true" aria-label="Opening" hidden />;
}
