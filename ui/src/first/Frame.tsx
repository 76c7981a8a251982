/** The frame of the page before any script runs: rail, top bar, and the outline of the screen. The first script completes its links. */
import type { Place } from '../app/places.ts';
import { mainPlaces, settingsPlace, toolPlaces } from '../app/places.ts';
import { Bells, Icon } from '../parts/Icon.tsx';

export function Frame() {
  return (
    <div className="app" aria-busy="true">
      <div className="rail">
        <span className="brand">
          <Bells />
          Carillon
        </span>
        <span className="pick mb-3 flex items-center font-medium" data-namespace="" />
        {mainPlaces.map(placeLink)}
        <hr />
        {toolPlaces.map(placeLink)}
        <hr />
        {placeLink(settingsPlace)}
        <div className="foot">
          <span className="live off">
            <i />
            Connecting
          </span>
        </div>
      </div>
      <div className="frame">
        <div className="topbar">
          <span className="crumbs" />
          <span className="find">
            <Icon name="search" />
            <span className="flex-1">Find or do…</span>
          </span>
          <span className="btn quiet wide-only">
            <Icon name="clock" /> Schedule time
          </span>
          <span className="btn quiet icon">
            <Icon name="moon" />
          </span>
        </div>
        <div className="page coming">
          <span className="skel mb-6 block h-7 w-48" />
          <div className="card">
            {Array.from({ length: 13 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing but their place
              <div key={row} className="flex h-12 items-center gap-6 border-b border-line px-4 last:border-0">
                <span className="skel h-2.5 w-32" />
                <span className="flex-1" />
                <span className="skel h-3.5 w-40" />
                <span className="skel h-2.5 w-14" />
              </div>
            ))}
          </div>
        </div>
      </div>
      <div className="tabbar">
        {mainPlaces.map(({ to, icon, short }) => (
          <a key={to} className="tab" data-to={to} href={`default/${to}`}>
            <Icon name={icon} />
            <span>{short}</span>
          </a>
        ))}
        <span className="tab">
          <Icon name="more" />
          <span>More</span>
        </span>
      </div>
    </div>
  );
}

function placeLink({ to, icon, name }: Place) {
  return (
    <a key={to} className="place" data-to={to} href={`default/${to}`}>
      <Icon name={icon} />
      <span>{name}</span>
    </a>
  );
}
