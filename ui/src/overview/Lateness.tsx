/** p50 and p99 of how late starts are, on a scale where each step is ten times the one before. */
import type { Series } from 'carillon/client';
import { lengthText } from '../time/text.ts';

const width = 500;
const height = 110;
const least = 1;

export function Lateness({ series }: { readonly series: Series }) {
  const { bins } = series;
  const most = Math.max(1000, ...bins.map(({ latenessP99Ms }) => latenessP99Ms ?? 0));
  const decades = Math.ceil(Math.log10(most));
  const yOf = (ms: number) => height - (Math.log10(Math.max(least, ms)) / decades) * height;
  const path = (pick: (bin: Series['bins'][number]) => number | null) => {
    let d = '';
    let isOpen = false;
    for (const [index, bin] of bins.entries()) {
      const value = pick(bin);
      if (value === null) {
        isOpen = false;
        continue;
      }
      d += `${isOpen ? 'L' : 'M'}${((index + 0.5) / bins.length) * width} ${yOf(value)}`;
      isOpen = true;
    }
    return d;
  };
  const marks = Array.from({ length: decades + 1 }, (_, power) => 10 ** power).filter((ms) => ms >= 1);
  return (
    <div className="flex gap-2">
      <div className="relative w-14 shrink-0" style={{ height }} aria-hidden="true">
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
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block w-full overflow-visible"
        style={{ height }}
        role="img"
        aria-label="How late starts were, over time"
      >
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
    </div>
  );
}
