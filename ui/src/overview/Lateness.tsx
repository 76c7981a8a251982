/** p50 and p99 of how late starts are, on a scale where each step is ten times the one before. */
import type { Series } from 'carillon/client';
import { Tip } from '../parts/Tip.tsx';
import { usePageZone } from '../time/choice.ts';
import { clockText, dayText, lengthText } from '../time/text.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../time/zone.ts';
import { useBinChoice } from './bin-choice.ts';
import { TimeLabels } from './TimeLabels.tsx';

const width = 500;
const height = 110;
const least = 1;
/** The labels of the scale, each about ten times the one before. */
const lengths = [
  least,
  10,
  100,
  secondMs,
  10 * secondMs,
  minuteMs,
  10 * minuteMs,
  hourMs,
  10 * hourMs,
  4 * dayMs,
  40 * dayMs,
];

export function Lateness({ series }: { readonly series: Series }) {
  const zone = usePageZone();
  const { bins } = series;
  const most = Math.max(1000, ...bins.map(({ latenessP99Ms }) => latenessP99Ms ?? 0));
  const marks = lengths.slice(0, Math.max(4, 1 + lengths.findIndex((ms) => ms >= most) || lengths.length));
  const top = Math.log10(marks.at(-1) ?? most);
  const yOf = (ms: number) => height - (Math.log10(Math.max(least, ms)) / top) * height;
  const alone = Math.max(4, width / bins.length / 2);
  const { chosen, handlers } = useBinChoice(bins.length);
  const bin = chosen === undefined ? undefined : bins[chosen.index];
  const at = bin === undefined ? 0 : Date.parse(bin.from);
  const told = bin === undefined ? '' : toldOf(bin);
  /** Bins without a start are passed over; only a gap longer than an eighth of the range breaks the line. */
  const path = (pick: (bin: Series['bins'][number]) => number | null) => {
    let d = '';
    let last = Number.NEGATIVE_INFINITY;
    for (const [index, bin] of bins.entries()) {
      const value = pick(bin);
      if (value === null) continue;
      const x = ((index + 0.5) / bins.length) * width;
      const isJoined = index - last <= bins.length / 8;
      // A point alone is a short stroke, because a line of no length is not drawn.
      d += isJoined ? `L${x} ${yOf(value)}` : `M${x - alone} ${yOf(value)}L${x} ${yOf(value)}`;
      last = index;
    }
    return d;
  };
  return (
    <div className="flex gap-2 overflow-hidden py-1.5">
      <div className="relative w-18 shrink-0" style={{ height }} aria-hidden="true">
        {marks.map((ms) => (
          <span
            key={ms}
            className="micro absolute right-0 -translate-y-1/2 whitespace-nowrap"
            style={{ top: yOf(ms) }}
          >
            {lengthText(ms)}
          </span>
        ))}
      </div>
      <div className="w-full min-w-0">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          className="mb-1.5 block w-full"
          style={{ height }}
          role="img"
          aria-label="How late starts were, over time"
          {...handlers}
        >
          {chosen !== undefined && (
            <path
              d={`M${((chosen.index + 0.5) / bins.length) * width} 0V${height}`}
              stroke="var(--line-2)"
              vectorEffect="non-scaling-stroke"
            />
          )}
          {marks.map((ms) => (
            <path
              key={ms}
              d={`M0 ${yOf(ms)}H${width}`}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <path
            d={path(({ latenessP99Ms }) => latenessP99Ms)}
            fill="none"
            stroke="var(--text-3)"
            strokeDasharray="3 3"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d={path(({ latenessP50Ms }) => latenessP50Ms)}
            fill="none"
            stroke="var(--ran)"
            strokeWidth="1.6"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <TimeLabels from={Date.parse(series.from)} to={Date.parse(series.to)} most={5} />
        <span className="sr" aria-live="polite">
          {bin === undefined ? '' : `${dayText(zone, at)} ${clockText(zone, at)}: ${told}`}
        </span>
        {chosen !== undefined && bin !== undefined && (
          <Tip x={chosen.x} y={chosen.y}>
            <b>
              {dayText(zone, at)} {clockText(zone, at)}
            </b>{' '}
            · {told}
          </Tip>
        )}
      </div>
    </div>
  );
}

function toldOf({ latenessP50Ms, latenessP99Ms }: Series['bins'][number]): string {
  if (latenessP50Ms === null) return 'nothing started';
  return `p50 ${lengthText(latenessP50Ms)}, p99 ${lengthText(latenessP99Ms ?? latenessP50Ms)}`;
}
