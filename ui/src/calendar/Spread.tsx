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

const height = 84;
const minutesBefore = 5;
const minutesShown = 35;
/** How many minutes of the drawing the text of its area covers, at the narrowest. */
const textMinutes = 10;

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
              starts between {time} and {clockText(zone, at + shown.minutes * minuteMs)}.
              {shown.mostBefore > peak.starts &&
                ` Of the ${countText(shown.mostBefore)}, ${countText(shown.mostBefore - peak.starts)} start at other seconds of ${time}.`}
            </p>
            <Chart {...shown} />
            <div className="micro relative -mt-2 h-4" aria-hidden="true">
              {[0, minutesBefore + 10, minutesShown - 5].map((place) => (
                <span key={place} className="absolute" style={{ left: `${(100 * place) / minutesShown}%` }}>
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

/**
 * The present load as a dashed line, the load with the jitter as an area, and a line below the minutes that the jitter reaches. The
 * drawing is as wide as its card, and its texts stay as they are.
 */
function Chart({ minutes, before, after, mostBefore, mostAfter }: Spreading) {
  const most = Math.max(1, ...before, ...after);
  const count = Math.max(1, before.length);
  const y = (starts: number) => height - 1 - (starts / most) * (height - 20);
  const line = (counts: readonly number[]) =>
    counts.map((starts, index) => `${index === 0 ? 'M' : 'L'}${index} ${y(starts)}h1`).join('');
  const end = Math.min(count, minutesBefore + minutes + 1);
  const percent = (place: number) => `${(100 * place) / count}%`;
  // Above what is drawn where the text stands.
  const isLeft = end <= count / 2;
  const covered = isLeft ? [end, end + textMinutes] : [count - textMinutes, count];
  const top = y(Math.max(mostAfter, ...after.slice(...covered), ...before.slice(...covered))) - 18;
  return (
    <div
      className="relative"
      style={{ height }}
      role="img"
      aria-label={`Starts by the minute: now at most ${mostBefore}, spread at most ${mostAfter}`}
    >
      <svg
        className="absolute inset-0 h-full w-full"
        viewBox={`0 0 ${count} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={`${line(after)}V${height - 1}H0z`} fill="var(--ran)" opacity="0.16" />
        <g fill="none">
          <Stroke d={line(before)} color="var(--text-3)" dash="3 2" />
          <Stroke d={line(after)} color="var(--ran)" width={1.8} />
          <Stroke d={`M0 ${height - 0.5}H${count}`} color="var(--line-2)" />
          <Stroke d={`M${minutesBefore} ${height - 1}H${end}`} color="var(--ran)" width={3} />
        </g>
      </svg>
      <span className="micro absolute -top-0.5 pl-1.5" style={{ left: percent(minutesBefore + 1) }}>
        now, {countText(mostBefore)}
      </span>
      <span
        className="micro absolute pl-1.5 font-semibold whitespace-nowrap text-ran-t!"
        style={{
          top: Math.max(0, top),
          ...(isLeft ? { left: percent(end) } : { right: 0 }),
        }}
      >
        spread, {countText(mostAfter)}
      </span>
    </div>
  );
}

interface StrokeProps {
  readonly d: string;
  readonly color: string;
  readonly width?: number;
  readonly dash?: string;
}

/** A line that is as thick in a wide drawing as in a narrow one. */
function Stroke({ d, color, width = 1, dash }: StrokeProps) {
  return (
    <path d={d} stroke={color} strokeWidth={width} strokeDasharray={dash} vectorEffect="non-scaling-stroke" />
  );
}
