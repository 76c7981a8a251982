/** Starts the page. */
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, useState, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { applyTheme } from './app/theme.ts';
import { troubleOf } from './data/api.ts';
import { beginLater } from './data/later.ts';
import './style/page.css';

const SignIn = lazy(async () => ({ default: (await import('./app/SignIn.tsx')).SignIn }));

let isLocked = false;
const watchers = new Set<() => void>();

function lock(next: boolean): void {
  isLocked = next;
  for (const watcher of watchers) watcher();
}

const client = new QueryClient({
  queryCache: new QueryCache({
    onSettled: (_, __, { queryKey }) => {
      // What the frame asks for says nothing about the screen.
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
      // The transport has tried twice; a server that is away is waited for by the live connection.
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
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

applyTheme();
const element = document.getElementById('root');
if (element !== null) {
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
