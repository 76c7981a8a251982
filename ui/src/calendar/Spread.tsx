/** The busiest moment of the week, as it is and with its starts spread over the minutes after it. */
import { useQuery } from '@tanstack/react-query';
import type { LoadPeak } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { clockText, countText, plural } from '../time/text.ts';
import { minuteMs } from '../time/zone.ts';
import { spreadOf } from './spread.ts';

interface SpreadProps {
  readonly peak: LoadPeak;
  readonly zone: string;
}

const width = 280;
const height = 64;
const minutesBefore = 5;
const minutesShown = 35;

export function Spread({ peak, zone }: SpreadProps) {
  const { api, namespace } = useScope();
  const at = Date.parse(peak.at);
  const from = Math.floor(at / minuteMs) * minuteMs - minutesBefore * minuteMs;
  const { data } = useQuery({
    queryKey: [namespace, 'load', 'peak', from],
    queryFn: async ({ signal }) =>
      await api.insight.load(
        {
          from: new Date(from).toISOString(),
          to: new Date(from + minutesShown * minuteMs).toISOString(),
          bin: '1m',
          zone,
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
            <Chart before={found.before} after={found.after} />
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

function Chart({ before, after }: { readonly before: readonly number[]; readonly after: readonly number[] }) {
  const most = Math.max(1, ...before, ...after);
  const step = width / Math.max(1, before.length);
  const high = (count: number) => (count / most) * (height - 4);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="block w-full"
      style={{ height }}
      role="img"
      aria-label="Starts by the minute, now as outlines and spread as bars"
    >
      {after.map((count, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the minute is the index
          key={`after ${index}`}
          x={index * step + 0.5}
          y={height - high(count)}
          width={Math.max(0.5, step - 1)}
          height={high(count)}
          fill="var(--ran-area)"
        />
      ))}
      {before.map((count, index) =>
        count === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the minute is the index
            key={`before ${index}`}
            x={index * step + 0.5}
            y={height - high(count)}
            width={Math.max(0.5, step - 1)}
            height={high(count)}
            fill="none"
            stroke="var(--text-3)"
            strokeDasharray="2 2"
            vectorEffect="non-scaling-stroke"
          />
        ),
      )}
    </svg>
  );
}
