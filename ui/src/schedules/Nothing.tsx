/** An empty list is rare, so its words are loaded when it is shown. */
import type { ComponentProps } from 'react';
import { Suspense } from 'react';
import { lazyPart } from '../route/lazy-part.tsx';

const Words = lazyPart(async () => (await import('./NothingFound.tsx')).NothingFound);

export function Nothing(props: ComponentProps<typeof Words>) {
  return (
    <Suspense>
      <Words {...props} />
    </Suspense>
  );
}
