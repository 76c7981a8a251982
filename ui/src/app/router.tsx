/** Shows the screen of the address. */
import { Suspense, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { addressNow, goTo, watchAddress } from '../route/address.ts';
import { Boundary } from '../route/Boundary.tsx';
import { keepHeights, keptHeight } from '../route/heights.ts';
import type { Shown } from '../route/hooks.ts';
import { ShownContext } from '../route/hooks.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import { paramsOf } from '../route/match.ts';
import { lastNamespace } from './namespace.ts';
import { Shell } from './Shell.tsx';
import { screenAt } from './screens.ts';

const Lost = lazyPart(async () => (await import('./Lost.tsx')).Lost);

interface View extends Shown {
  readonly Body: React.ComponentType;
}

function viewNow(): View {
  if (paramsOf('/', addressNow().path) !== undefined) {
    goTo(`/${encodeURIComponent(lastNamespace())}/`, { replace: true });
  }
  const address = addressNow();
  const found = screenAt(address.path);
  if (found !== undefined) return { ...address, params: found.params, Body: found.screen.Body };
  const namespace = paramsOf('/$namespace', address.path.split('/').slice(0, 2).join('/'));
  return { ...address, params: namespace ?? {}, Body: Lost };
}

export function Router() {
  const [view, setView] = useState(viewNow);
  const { Body, ...shown } = view;
  useEffect(
    () =>
      watchAddress(() => {
        const next = viewNow();
        // The screen before stays until the next one is loaded; a field that writes into the address must not wait.
        if (next.Body === Body) setView(next);
        else startTransition(() => setView(next));
      }),
    [Body],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path begins where it was left, or at the top
  useLayoutEffect(() => {
    scrollTo(0, keptHeight());
  }, [view.path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query of the same screen is another entry
  useLayoutEffect(keepHeights, [view]);
  return (
    <ShownContext value={shown}>
      <Shell>
        <Boundary of={view.path}>
          <Suspense>
            <Body />
          </Suspense>
        </Boundary>
      </Shell>
    </ShownContext>
  );
}
