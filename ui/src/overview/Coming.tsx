import type { Load } from 'carillon/client';
import { hourMs } from '../time/zone.ts';
import { TimeLabels } from './TimeLabels.tsx';

const width = 500;
const height = 110;

/** The starts of the next hour, minute by minute. They have not happened, so they are outlines. */
export function Coming({ load }: { readonly load: Load }) {
  const { bins } = load;
  const from = Date.parse(load.from);
  const most = Math.max(1, ...bins.map(({ starts }) => starts));
  const step = width / bins.length;
  return (
    <div className="py-1.5">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="mb-1.5 block w-full"
        style={{ height }}
        role="img"
        aria-label="Starts of the next hour by the minute"
      >
        <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line-2)" vectorEffect="non-scaling-stroke" />
        {bins.map(({ from: minute, starts }, index) =>
          starts === 0 ? null : (
            <rect
              key={minute}
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
      <TimeLabels from={from} to={from + hourMs} most={5} />
    </div>
  );
}
