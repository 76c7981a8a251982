/** The frame around all screens of a namespace: rail, top bar, live connection, palette, keys. */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { openApi, ScopeContext } from '../data/api.ts';
import { changedBy } from '../live/changed.ts';
import { live, useLive, useLiveState } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { Icon } from '../parts/Icon.tsx';
import { Toasts } from '../parts/Toasts.tsx';
import { useNow } from '../time/now.ts';
import { clockSecondsText, lengthText } from '../time/text.ts';
import { viewerZone } from '../time/zone.ts';
import { isTyping, useKeys } from './keys.ts';
import { useGo, useLinks } from './links.ts';
import { allPlaces } from './places.ts';
import { Rail, TabBar } from './Rail.tsx';
import { TopBar } from './TopBar.tsx';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));
const KeysHelp = lazy(async () => ({ default: (await import('./KeysHelp.tsx')).KeysHelp }));

export function Shell() {
  const { namespace = 'default' } = useParams({ strict: false }) as { readonly namespace?: string };
  const scope = useMemo(() => ({ api: openApi(namespace), namespace }), [namespace]);
  const [open, setOpen] = useState<'palette' | 'keys' | undefined>();
  useEffect(() => {
    live.open(namespace);
  }, [namespace]);
  const close = useCallback(() => setOpen(undefined), []);
  usePaletteKey(() => setOpen('palette'));
  return (
    <ScopeContext value={scope}>
      <a href="#main" className="sr focus:not-sr-only">
        Skip to content
      </a>
      <div className="app">
        <Rail />
        <div className="frame">
          <TopBar onFind={() => setOpen('palette')} />
          <Offline />
          <Suspense>
            <Outlet />
          </Suspense>
        </div>
        <TabBar />
      </div>
      <Toasts />
      <GlobalKeys onPalette={() => setOpen('palette')} onHelp={() => setOpen('keys')} />
      <LiveReading />
      {/* While it is loaded, letters that a person types already must not act as keys of the page. */}
      <Suspense fallback={<div role="dialog" aria-modal="true" aria-label="Opening" hidden />}>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'keys' && <KeysHelp onClose={close} />}
      </Suspense>
    </ScopeContext>
  );
}

function usePaletteKey(onOpen: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      onOpen();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

function GlobalKeys({ onPalette, onHelp }: { readonly onPalette: () => void; readonly onHelp: () => void }) {
  const links = useLinks();
  const go = useGo();
  useKeys({
    '?': onHelp,
    '/': () => {
      const field = document.querySelector<HTMLInputElement>('[data-query]');
      if (field === null) onPalette();
      else if (!isTyping(document.activeElement)) field.focus();
    },
    c: () => go(links.place('schedules/new')),
    ...Object.fromEntries(allPlaces.map(({ key, to }) => [`g ${key}`, () => go(links.place(to))])),
  });
  return null;
}

/** After events were missed, everything on the screen is read again. */
function LiveReading() {
  const client = useQueryClient();
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        if (changedBy(events).all) void client.invalidateQueries();
      },
      [client],
    ),
  );
  return null;
}

/** Said after five seconds without the server, at the top, with the age of what is shown. */
function Offline() {
  const state = useLiveState();
  return state.is === 'offline' ? <OfflineNote since={state.since} retryAt={state.retryAt} /> : null;
}

function OfflineNote({ since, retryAt }: { readonly since: number; readonly retryAt: number }) {
  const now = useNow();
  if (now - since < 5000) return null;
  const wait = Math.max(0, retryAt - now);
  return (
    <div className="note f-policy mx-6 mt-4" role="status">
      <Icon name="cloud" />
      <div>
        <b>You see {clockSecondsText(viewerZone, since)}.</b> The server has not answered for{' '}
        {lengthText(now - since)}. {wait < 1000 ? 'Trying again.' : `Trying again in ${lengthText(wait)}.`}{' '}
        <button type="button" className="link" onClick={() => live.hurry()}>
          Try now
        </button>
      </div>
    </div>
  );
}
