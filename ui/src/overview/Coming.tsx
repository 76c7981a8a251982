import type { Load } from 'carillon/client';
import { usePageZone } from '../time/choice.ts';
import { clockText } from '../time/text.ts';

const width = 500;
const height = 110;

/** The starts of the next hour, minute by minute. They have not happened, so they are outlines. */
export function Coming({ load }: { readonly load: Load }) {
  const zone = usePageZone();
  const bins = load.bins.slice(0, 61);
  const most = Math.max(1, ...bins.map(({ starts }) => starts));
  const step = width / bins.length;
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block w-full"
        style={{ height: height - 10 }}
        role="img"
        aria-label="Starts of the next hour by the minute"
      >
        <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line-2)" vectorEffect="non-scaling-stroke" />
        {bins.map(({ from, starts }, index) =>
          starts === 0 ? null : (
            <rect
              key={from}
              x={index * step + 1}
              y={height - (starts / most) * (height - 6)}
              width={Math.max(1, step - 2)}
              height={(starts / most) * (height - 6)}
              fill="var(--sunken)"
              stroke="var(--text-3)"
              vectorEffect="non-scaling-stroke"
            />
          ),
        )}
      </svg>
      <div className="mt-1 flex justify-between" aria-hidden="true">
        {[0, 15, 30, 45, 60].map((place) => {
          const from = bins[Math.min(place, bins.length - 1)]?.from;
          return (
            <span key={place} className="micro">
              {from === undefined ? '' : clockText(zone, Date.parse(from))}
            </span>
          );
        })}
      </div>
    </>
  );
}
