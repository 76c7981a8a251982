import { memo } from 'react';
import { shapeElement } from '../verdict/Mark.tsx';
import { markShapes } from '../verdict/mark-shapes.ts';
import { familyOf, wordOf } from '../verdict/verdict.ts';
import type { Place, StripAnswer } from './strip.ts';
import { places, placesOf, stripText } from './strip.ts';

const step = 8;
const height = 20;

interface StripProps {
  readonly strip: StripAnswer | undefined;
  /** Whether the strip begins at the left edge. Otherwise the newest slot is at the right edge, so that rows of a list line up. */
  readonly isFromLeft?: boolean;
}

/** A strip as SVG: one path for all bars of a family, and one small drawing per mark. It is drawn again only when it changes. */
export const Strip = memo(function Strip({ strip, isFromLeft = false }: StripProps) {
  if (strip === undefined) return <span className="skel block h-3 w-40" />;
  const shown = placesOf(strip);
  const shift = isFromLeft ? 0 : (places - shown.length) * step;
  const ran = shown.flatMap(({ look, height: high }, place) =>
    look === 'started' || look === 'startedLate'
      ? [barPath(shift + place * step, 5 + high * (height - 6))]
      : [],
  );
  return (
    <svg
      width={places * step}
      height={height}
      viewBox={`0 0 ${places * step} ${height}`}
      role="img"
      aria-label={stripText(shown, wordOf)}
      className="overflow-visible"
    >
      <path d={ran.join('')} fill="var(--ran-area)" />
      {shown.map((place, index) => drawn(place, shift + index * step, index))}
    </svg>
  );
});

function barPath(x: number, high: number): string {
  const top = height - high;
  return `M${x + 1} ${top + 1.4}a1.400 1.400 0 0 1 1.400-1.400h2.200a1.400 1.400 0 0 1 1.400 1.400V${height - 1.2}a1.200 1.200 0 0 1-1.200 1.200h-2.600a1.200 1.200 0 0 1-1.200-1.200z`;
}

function drawn({ look }: Place, x: number, key: number) {
  const family = familyOf(look);
  switch (look) {
    case 'started':
    case 'startedLate':
      return null;
    case 'failed':
    case 'timedOut':
    case 'runStopped':
      // A run that did not complete is a broken bar.
      return (
        <path
          key={key}
          d={`M${x + 1} ${height - 8}h5v8h-5zM${x + 1} ${height - 15}h5v4.600h-5z`}
          fill={`var(--${family})`}
        />
      );
    case 'running':
      return (
        <g key={key} fill="var(--busy)" stroke="var(--busy)" strokeWidth="1.2">
          <path d={`M${x + 1.6} ${height - 13.4}h3.800v12.800h-3.800z`} fill="none" />
          <path d={`M${x + 1.6} ${height - 7}h3.800v6.400h-3.800z`} />
        </g>
      );
    default:
      return (
        <g
          key={key}
          transform={`translate(${x - 0.2} ${height - 8.4}) scale(.64)`}
          color={`var(--${family})`}
        >
          {markShapes[look].map(shapeElement)}
        </g>
      );
  }
}
