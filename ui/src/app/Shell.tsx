/** The frame around all screens of a namespace: rail, top bar, live connection, palette, keys. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { Scope, Trouble } from '../data/api.ts';
import { openApi, ScopeContext, troubleOf } from '../data/api.ts';
import { aboutQuery } from '../data/queries.ts';
import { useMayChange, useRole } from '../data/role.ts';
import { changedBy } from '../live/changed.ts';
import { live, useLive, useLiveState } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { copyText } from '../parts/Copy.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Toasts } from '../parts/Toasts.tsx';
import { showToast } from '../parts/toast.ts';
import { goTo } from '../route/address.ts';
import { useParams } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { lazyPart } from '../route/lazy-part.tsx';
import { useNow } from '../time/now.ts';
import { clockSecondsText, lengthText } from '../time/text.ts';
import { viewerZone } from '../time/zone.ts';
import { takeEarlyKeys } from './early-keys.ts';
import { isTyping, useKeys } from './keys.ts';
import { useLinks } from './links.ts';
import { allPlaces } from './places.ts';
import { pressAgain } from './press-again.ts';
import { Rail, TabBar } from './Rail.tsx';
import { TopBar } from './TopBar.tsx';

const Palette = lazyDialog(async () => (await import('./Palette.tsx')).Palette);
const More = lazyDialog(async () => (await import('./More.tsx')).More);
const Elsewhere = lazyPart(async () => (await import('./Elsewhere.tsx')).Elsewhere);
const KeysHelp = lazyDialog(async () => (await import('./KeysHelp.tsx')).KeysHelp);

export function Shell({ children }: { readonly children: ReactNode }) {
  const { namespace = 'default' } = useParams();
  const scope = useMemo(() => ({ api: openApi(namespace), namespace }), [namespace]);
  const refused = useRefused(scope);
  const [open, setOpen] = useState<'palette' | 'keys' | 'more' | undefined>();
  useEffect(() => {
    live.open(namespace);
  }, [namespace]);
  const close = useCallback(() => setOpen(undefined), []);
  usePaletteKey(() => setOpen('palette'));
  useEarlyKeys();
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
          <OnlyLooks />
          {refused === undefined ? (
            children
          ) : (
            <Suspense>
              <Elsewhere message={refused.message} namespaces={refused.meant} />
            </Suspense>
          )}
        </div>
        <TabBar onMore={() => setOpen('more')} />
      </div>
      <Toasts />
      <GlobalKeys onPalette={() => setOpen('palette')} onHelp={() => setOpen('keys')} />
      <LiveReading />
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'more' && <More onClose={close} />}
      {open === 'keys' && <KeysHelp onClose={close} />}
    </ScopeContext>
  );
}

/** Why the key may not read this namespace; undefined when it may. */
function useRefused(scope: Scope): Trouble | undefined {
  const { error } = useQuery(aboutQuery(scope));
  if (error === null) return undefined;
  const trouble = troubleOf(error);
  return trouble.reason === 'PERMISSION_DENIED' ? trouble : undefined;
}

function usePaletteKey(onOpen: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // The palette does not open over a dialog.
      if (document.querySelector('[aria-modal="true"]') !== null) return;
      onOpen();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}

/** Runs after the effects of all parts of the screen, which add the listeners that handle the keys. */
function useEarlyKeys(): void {
  useEffect(() => {
    const keys = takeEarlyKeys();
    // React cannot draw within an effect what a key changes.
    if (keys.length > 0) setTimeout(() => pressAgain(keys));
  }, []);
}

function GlobalKeys({ onPalette, onHelp }: { readonly onPalette: () => void; readonly onHelp: () => void }) {
  const links = useLinks();
  const mayChange = useMayChange();
  const role = useRole();
  useKeys({
    '?': onHelp,
    '/': () => {
      const field = document.querySelector<HTMLInputElement>('[data-query]');
      if (field === null) onPalette();
      else if (!isTyping(document.activeElement)) field.focus();
    },
    // Until the role is known the form opens; it says itself when the key may not change anything.
    c: () => (mayChange || role === undefined) && goTo(links.place('schedules/new')),
    y: () => void copyLink(),
    ...Object.fromEntries(allPlaces.map(({ key, to }) => [`g ${key}`, () => goTo(links.place(to))])),
  });
  return null;
}

/** The address contains everything that the screen shows. */
async function copyLink(): Promise<void> {
  await copyText(location.href);
  showToast({ family: 'ran', text: 'Copied the link' });
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

/** Explains at the top of the page why a key that may only read sees no buttons. */
function OnlyLooks() {
  const role = useRole();
  const mayChange = useMayChange();
  if (role === undefined || mayChange) return null;
  return (
    <div className="note f-spec mx-6 mt-4" role="status">
      <Icon name="lock" />
      <div>
        <b>Your key may only look.</b> What would be refused is not offered; commands are shown all the same.
      </div>
    </div>
  );
}

/** Appears at the top after five seconds without the server, with the age of what is shown. */
function Offline() {
  const state = useLiveState();
  return state.is === 'offline' ? <OfflineNote since={state.since} retryAt={state.retryAt} /> : null;
}

function OfflineNote({ since, retryAt }: { readonly since: number; readonly retryAt: number }) {
  const now = useNow();
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
