/** The rail at the left: namespace, places, live state. On a phone the five places are tabs at the bottom. */
import { useQuery } from '@tanstack/react-query';
import { useScope } from '../data/api.ts';
import { useLater } from '../data/later.ts';
import { aboutQuery, nodesQuery } from '../data/queries.ts';
import { askingQuery } from '../hosts/query.ts';
import { live, useLiveState } from '../live/live.ts';
import { Go } from '../parts/Go.tsx';
import { Bells, Icon } from '../parts/Icon.tsx';
import { goTo } from '../route/address.ts';
import { usePath } from '../route/hooks.ts';
import { countsQuery } from '../schedules/query.ts';
import { clockSecondsText, countText, plural } from '../time/text.ts';
import { viewerZone } from '../time/zone.ts';
import { useLinks } from './links.ts';
import { rememberNamespace } from './namespace.ts';
import type { Place } from './places.ts';
import { mainPlaces, settingsPlace, toolPlaces } from './places.ts';

export function Rail() {
  const scope = useScope();
  const enabled = useLater();
  const counts = useQuery({ ...countsQuery(scope), enabled }).data;
  const asking = useQuery({ ...askingQuery(scope), enabled }).data?.length ?? 0;
  const needy = (counts?.attention ?? 0) + asking;
  const numbers: Readonly<Record<string, { readonly text: string; readonly isBad?: boolean }>> =
    counts === undefined
      ? {}
      : {
          ...(needy === 0 ? {} : { '': { text: countText(needy), isBad: true } }),
          ...(asking === 0 ? {} : { hosts: { text: countText(asking), isBad: true } }),
          schedules: { text: countText(counts.total) },
          ...(counts.runsNow === 0 ? {} : { runs: { text: `${countText(counts.runsNow)} now` } }),
        };
  return (
    <nav className="rail" aria-label="Main">
      <Go to={`/${encodeURIComponent(scope.namespace)}/`} className="brand">
        <Bells />
        Carillon
      </Go>
      <Namespaces />
      {mainPlaces.map((place) => (
        <PlaceLink key={place.name} place={place} number={numbers[place.to]} />
      ))}
      <hr />
      {toolPlaces.map((place) => (
        <PlaceLink key={place.name} place={place} />
      ))}
      <hr />
      <PlaceLink place={settingsPlace} />
      <Foot />
    </nav>
  );
}

/** The tabs at the bottom of a phone. The other places, the namespace and the choice of times are behind `More`. */
export function TabBar({ onMore }: { readonly onMore: () => void }) {
  return (
    <nav className="tabbar" aria-label="Main, small screens">
      {mainPlaces.map((place) => (
        <PlaceLink key={place.name} place={place} isTab />
      ))}
      <button type="button" className="tab" aria-haspopup="dialog" onClick={onMore}>
        <Icon name="more" />
        <span>More</span>
      </button>
    </nav>
  );
}

interface PlaceLinkProps {
  readonly place: Place;
  readonly number?: { readonly text: string; readonly isBad?: boolean } | undefined;
  readonly isTab?: boolean;
}

function PlaceLink({ place, number, isTab = false }: PlaceLinkProps) {
  const links = useLinks();
  const own = usePath();
  const to = links.place(place.to);
  const isHere =
    place.to === '' ? own === to || own === to.slice(0, -1) : own === to || own.startsWith(`${to}/`);
  return (
    <Go
      to={to}
      className={isTab ? '' : 'place'}
      aria-current={isHere ? 'page' : undefined}
      // A screen keeps its scroll position when its query changes; a place begins at its top.
      onClick={() => own === to && scrollTo(0, 0)}
    >
      <Icon name={place.icon} />
      <span>{isTab ? place.short : place.name}</span>
      {number !== undefined && <span className={number.isBad ? 'n bad' : 'n'}>{number.text}</span>}
    </Go>
  );
}

/** A list of the server's namespaces where there is more than one. */
export function Namespaces({ onChosen }: { readonly onChosen?: () => void }) {
  const { namespace } = useScope();
  const names = useNamespaces();
  return (
    <label className="mb-3 block">
      <span className="sr">Namespace</span>
      <select
        className="pick font-medium"
        value={namespace}
        onChange={({ target }) => {
          rememberNamespace(target.value);
          goTo(`/${encodeURIComponent(target.value)}/`);
          onChosen?.();
        }}
      >
        {[...new Set([namespace, ...names])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function useNamespaces(): readonly string[] {
  const { api, namespace } = useScope();
  const enabled = useLater();
  return (
    useQuery({
      enabled,
      queryKey: [namespace, 'namespaces'],
      queryFn: async ({ signal }) => await api.settings.namespaces({ signal }),
      staleTime: 300_000,
    }).data?.map(({ name }) => name) ?? []
  );
}

function Foot() {
  const scope = useScope();
  const state = useLiveState();
  const enabled = useLater();
  const nodes = useQuery({ ...nodesQuery(scope), enabled }).data;
  const about = useQuery(aboutQuery(scope)).data;
  const alive = nodes?.filter((node) => node.state === 'alive') ?? [];
  return (
    <div className="foot">
      {state.is === 'offline' ? (
        <button type="button" className="live off text-left" onClick={() => live.hurry()}>
          <i />
          Not live since {clockSecondsText(viewerZone, state.since)}
        </button>
      ) : (
        <span className={state.is === 'live' ? 'live' : 'live off'}>
          <i />
          {state.is === 'live'
            ? `Live${nodes === undefined ? '' : ` · ${plural(alive.length, 'node')}`}`
            : state.is === 'refused'
              ? 'Not open to your key'
              : 'Connecting'}
        </span>
      )}
      {about !== undefined && (
        <span>
          {about.version}
          {alive[0] !== undefined && ` · tz ${alive[0].timeZoneVersion}`}
        </span>
      )}
    </div>
  );
}
