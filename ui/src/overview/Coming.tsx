import type { Load } from 'carillon/client';
import { Tip } from '../parts/Tip.tsx';
import { usePageZone } from '../time/choice.ts';
import { clockText, plural, roughText } from '../time/text.ts';
import { hourMs } from '../time/zone.ts';
import { useBinChoice } from './bin-choice.ts';
import { TimeLabels } from './TimeLabels.tsx';

const width = 500;
const height = 110;
/** The number of the highest bar stands above it. */
const room = height - 16;

/** The starts of the next hour, minute by minute. They have not happened, so they are outlines. */
export function Coming({ load }: { readonly load: Load }) {
  const { bins } = load;
  const from = Date.parse(load.from);
  const most = Math.max(1, ...bins.map(({ starts }) => starts));
  const step = width / bins.length;
  const zone = usePageZone();
  const { chosen, handlers } = useBinChoice(bins.length);
  const bin = chosen === undefined ? undefined : bins[chosen.index];
  const told =
    bin === undefined ? '' : `${clockText(zone, Date.parse(bin.from))}: ${plural(bin.starts, 'start')}`;
  return (
    <div className="relative py-1.5">
      <span className="micro absolute top-0 left-0">at most {roughText(most)} a minute</span>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="mb-1.5 block w-full"
        style={{ height }}
        role="img"
        aria-label="Starts of the next hour by the minute"
        {...handlers}
      >
        <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line-2)" vectorEffect="non-scaling-stroke" />
        {bins.map(({ from: minute, starts }, index) =>
          starts === 0 ? null : (
            <rect
              key={minute}
              x={index * step + 1}
              y={height - (starts / most) * room}
              width={Math.max(1, step - 2)}
              height={(starts / most) * room}
              fill={index === chosen?.index ? 'var(--line-2)' : 'var(--sunken)'}
              stroke="var(--text-3)"
              vectorEffect="non-scaling-stroke"
            />
          ),
        )}
      </svg>
      <TimeLabels from={from} to={from + hourMs} most={5} />
      <span className="sr" aria-live="polite">
        {told}
      </span>
      {chosen !== undefined && bin !== undefined && (
        <Tip x={chosen.x} y={chosen.y}>
          {told}
        </Tip>
      )}
    </div>
  );
}
