/** The busiest moment of the week, as it is and with its starts spread over the minutes after it. */
import { useQuery } from '@tanstack/react-query';
import type { LoadPeak, PartFilters } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { clockText, countText, plural } from '../time/text.ts';
import { minuteMs } from '../time/zone.ts';
import type { Spreading } from './spread.ts';
import { spreadOf } from './spread.ts';

interface SpreadProps {
  readonly peak: LoadPeak;
  readonly zone: string;
  readonly part: PartFilters;
}

const width = 300;
const height = 84;
const minutesBefore = 5;
const minutesShown = 35;

export function Spread({ peak, zone, part }: SpreadProps) {
  const { api, namespace } = useScope();
  const at = Date.parse(peak.at);
  const from = Math.floor(at / minuteMs) * minuteMs - minutesBefore * minuteMs;
  const { data } = useQuery({
    queryKey: [namespace, 'load', 'peak', from, zone, part],
    queryFn: async ({ signal }) =>
      await api.insight.load(
        {
          from: new Date(from).toISOString(),
          to: new Date(from + minutesShown * minuteMs).toISOString(),
          bin: '1m',
          zone,
          ...part,
        },
        { signal },
      ),
    staleTime: 300_000,
  });
  const time = clockText(zone, at);
  const found =
    data === undefined
      ? undefined
      : spreadOf(
          data.bins.slice(0, minutesShown).map(({ starts }) => starts),
          minutesBefore,
          peak.starts,
        );
  if (found?.moved === 0) return null;
  return (
    <section className="card" aria-labelledby="spread">
      <header>
        <h2 id="spread">Spread {time}</h2>
      </header>
      <div className="body grid gap-3">
        {found === undefined ? (
          <SkeletonBox height={120} />
        ) : (
          <>
            <p>
              {plural(peak.starts, 'schedule')} start at {time}. Moving{' '}
              <b className="font-semibold">{countText(found.moved)} of them</b> by up to{' '}
              {plural(found.minutes, 'minute')} brings the busiest minute from{' '}
              <b className="font-semibold">
                {countText(found.mostBefore)} to {countText(found.mostAfter)}
              </b>{' '}
              starts.
            </p>
            <Chart {...found} />
            <div className="-mt-2 flex justify-between" aria-hidden="true">
              {[0, minutesBefore + 10, minutesShown - 1].map((place) => (
                <span key={place} className="micro">
                  {clockText(zone, from + place * minuteMs)}
                </span>
              ))}
            </div>
            <p className="t2 text-second">
              A schedule whose minute does not matter can write <code>H</code> for it, or have a jitter: the
              minute then comes from its name and stays the same.
            </p>
          </>
        )}
      </div>
    </section>
  );
}

/** What is now as a dashed line, what spreading would make of it as an area. */
function Chart({ before, after, mostBefore, mostAfter }: Spreading) {
  const most = Math.max(1, ...before, ...after);
  const step = width / Math.max(1, before.length);
  const y = (count: number) => height - 1 - (count / most) * (height - 20);
  const line = (counts: readonly number[]) =>
    counts.map((count, index) => `${index === 0 ? 'M' : 'L'}${index * step} ${y(count)}h${step}`).join('');
  const right = (minutesBefore + 1) * step + 6;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      className="block w-full"
      role="img"
      aria-label={`Starts by the minute: now at most ${mostBefore}, spread at most ${mostAfter}`}
    >
      <path d={`${line(after)}V${height - 1}H0z`} fill="var(--ran)" opacity="0.16" />
      <path d={line(before)} fill="none" stroke="var(--text-3)" strokeDasharray="3 2" />
      <path d={line(after)} fill="none" stroke="var(--ran)" strokeWidth="1.8" />
      <path d={`M0 ${height - 0.5}H${width}`} stroke="var(--line-2)" />
      <text x={right} y="11" fontSize="11" fill="var(--text-3)">
        now, {countText(mostBefore)}
      </text>
      <text
        x={width - 2}
        y={Math.max(24, y(mostAfter) - 5)}
        fontSize="11"
        fontWeight="600"
        textAnchor="end"
        fill="var(--ran-t)"
      >
        spread, {countText(mostAfter)}
      </text>
    </svg>
  );
}
