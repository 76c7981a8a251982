/** Starts the page. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, Suspense, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from './app/router.tsx';
import { screenAt } from './app/screens.ts';
import { applyTheme } from './app/theme.ts';
import { troubleOf } from './data/api.ts';
import { whenIdle } from './data/idle.ts';
import { beginLater } from './data/later.ts';
import { live } from './live/live.ts';
import { addressNow } from './route/address.ts';
import { Boundary } from './route/Boundary.tsx';
import { lazyPart, preloadParts } from './route/lazy-part.tsx';
import { styled } from './style/styled.ts';
import './style/page.css';

const SignIn = lazyPart(async () => await styled(async () => (await import('./app/SignIn.tsx')).SignIn));

let isLocked = false;
const watchers = new Set<() => void>();

function lock(next: boolean): void {
  if (next) live.close();
  isLocked = next;
  for (const watcher of watchers) watcher();
}

const client = new QueryClient({
  queryCache: new QueryCache({
    onSettled: (_, __, { queryKey }) => {
      // The answer to this query belongs to the frame and does not show that the screen has its data.
      if (queryKey[1] !== 'about') beginLater();
    },
    onError: (error) => {
      if ((error as { readonly status?: number }).status === 401) lock(true);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      gcTime: 120_000,
      refetchOnWindowFocus: false,
      // The transport has tried twice; the live connection waits for a server that is away.
      retry: (count, error) => count < 1 && troubleOf(error).isOffline,
    },
  },
});

function App() {
  const isAsking = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => isLocked,
  );
  const [opened, setOpened] = useState(0);
  if (isAsking) {
    const onDone = () => {
      client.clear();
      setOpened(opened + 1);
      lock(false);
    };
    return (
      <Suspense>
        <SignIn onDone={onDone} />
      </Suspense>
    );
  }
  return (
    <QueryClientProvider client={client} key={opened}>
      <Router />
    </QueryClientProvider>
  );
}

async function open(element: HTMLElement): Promise<void> {
  // The painted frame stays until the screen can replace it.
  await screenAt(addressNow().path)?.screen.preload();
  createRoot(element).render(
    <StrictMode>
      <Boundary>
        <App />
      </Boundary>
    </StrictMode>,
  );
}

applyTheme();
const root = document.getElementById('root');
if (root !== null) void open(root);
whenIdle(() => {
  // A person who saves data loads only what is used.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  if (connection?.saveData !== true) void preloadParts();
});
