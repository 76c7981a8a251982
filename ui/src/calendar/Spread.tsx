/** The busiest moment of the week, as it is and as it would be if its schedules had a jitter, counted by the server; a person may apply it. */
import { useQuery } from '@tanstack/react-query';
import type { LoadPeak, PartFilters } from 'carillon/client';
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { clockText, countText, plural } from '../time/text.ts';
import { minuteMs } from '../time/zone.ts';
import type { Spreading } from './spread.ts';
import { bestOf, spreadingOf, triedMinutes } from './spread.ts';

const SpreadAsk = lazyDialog(async () => (await import('./SpreadAsk.tsx')).SpreadAsk);

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
  const mayChange = useMayChange();
  const [chosen, setChosen] = useState<number>();
  const [isAsked, setAsked] = useState(false);
  const at = Date.parse(peak.at);
  const from = Math.floor(at / minuteMs) * minuteMs - minutesBefore * minuteMs;
  const span = {
    from: new Date(from).toISOString(),
    to: new Date(from + minutesShown * minuteMs - 1).toISOString(),
  };
  const loads = useQuery({
    queryKey: [namespace, 'load', 'peak', from, zone, part],
    // First the load as it is, then with each jitter.
    queryFn: async ({ signal }) =>
      await Promise.all(
        [undefined, ...triedMinutes].map(async (minutes) => {
          const tried = minutes === undefined ? {} : { spreadAt: peak.at, spreadMs: minutes * minuteMs };
          return await api.insight.load({ ...span, bin: '1m', zone, ...part, ...tried }, { signal });
        }),
      ),
    staleTime: 300_000,
  }).data;
  const isCounted = loads !== undefined;
  const [now = [], ...tried] = (loads ?? []).map(({ bins }) => bins.map(({ starts }) => starts));
  const spreadings = triedMinutes.map((minutes, index) =>
    spreadingOf(now, tried[index] ?? [], { place: minutesBefore, minutes }),
  );
  const best = bestOf(spreadings);
  if (isCounted && best === undefined) return null;
  const shown = spreadings.find(({ minutes }) => minutes === chosen) ?? best;
  const ids = loads?.[1]?.spread ?? [];
  const time = clockText(zone, at);
  return (
    <section className="card" aria-labelledby="spread">
      <header>
        <h2 id="spread">Spread {time}</h2>
        <span className="flex-1" />
        {isCounted && shown !== undefined && (
          <Seg
            label="Jitter in minutes"
            options={triedMinutes.map((minutes) => ({ value: String(minutes), text: `${minutes} min` }))}
            value={String(shown.minutes)}
            onChange={(next) => setChosen(Number(next))}
          />
        )}
      </header>
      <div className="body grid gap-3">
        {!isCounted || shown === undefined ? (
          <SkeletonBox height={120} />
        ) : (
          <>
            <p>
              {plural(peak.starts, 'schedule')} start at {time}. A jitter of {shown.minutes} min for{' '}
              <b className="font-semibold">
                {ids.length === peak.starts ? 'all of them' : `${countText(ids.length)} of them`}
              </b>{' '}
              brings the busiest minute from{' '}
              <b className="font-semibold">
                {countText(shown.mostBefore)} to {countText(shown.mostAfter)}
              </b>{' '}
              starts.
            </p>
            <Chart {...shown} />
            <div className="-mt-2 flex justify-between" aria-hidden="true">
              {[0, minutesBefore + 10, minutesShown - 1].map((place) => (
                <span key={place} className="micro">
                  {clockText(zone, from + place * minuteMs)}
                </span>
              ))}
            </div>
            <p className="t2 text-second">
              The delay comes from the schedule and its slot: it is the same on every node, and the slots keep
              their times.
            </p>
            {mayChange && (
              <button type="button" className="btn justify-self-start" onClick={() => setAsked(true)}>
                Give them this jitter…
              </button>
            )}
          </>
        )}
      </div>
      {isAsked && shown !== undefined && (
        <SpreadAsk ids={ids} spreading={shown} time={time} onClose={() => setAsked(false)} />
      )}
    </section>
  );
}

/** The present load as a dashed line, the load with the jitter as an area. */
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
