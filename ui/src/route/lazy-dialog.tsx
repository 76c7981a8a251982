/** A dialog with its own file. One that cannot be loaded says so in the corner, and the screen below goes on. */
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

/** While the dialog is loaded, letters that a person types already must not act as keys of the page. */
function Opening({ onClose }: Closable) {
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => collectTyped(() => close.current(false)), []);
  return <div role="dialog" aria-modal="true" aria-label="Opening" hidden />;
}
