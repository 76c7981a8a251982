/** One day by the quarter of an hour and by the minute, with its peaks and everything that happens on it. */
import { useQuery } from '@tanstack/react-query';
import { useScope } from '../data/api.ts';
import { Failed } from '../parts/Failed.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { clockText, countText, plural } from '../time/text.ts';
import { dayMs, instantOf, minuteMs, offsetAt, placeOf, wallTime } from '../time/zone.ts';
import { EventList } from './Events.tsx';
import type { EventMaterial } from './events.ts';
import { eventsOn } from './events.ts';
import { HeatLegend, HeatTable } from './HeatTable.tsx';
import { heatOfDay, minutesOf } from './heat.ts';
import { Peaks } from './Peaks.tsx';
import { peaksOf, ringsOf } from './peaks.ts';
import type { CalendarRange } from './queries.ts';
import { loadQuery } from './queries.ts';
import { Spread } from './Spread.tsx';

interface DayProps extends Pick<CalendarRange, 'zone' | 'part'> {
  /** Local midnight, as if it were UTC. */
  readonly local: number;
  readonly now: number;
  readonly material: EventMaterial;
  /** The number of starts so far, when the day has begun and they are known. */
  readonly started: number | undefined;
}

const quarters = [0, 15, 30, 45];
const two = (value: number) => String(value).padStart(2, '0');

export function Day({ local, now, zone, part, material, started }: DayProps) {
  const scope = useScope();
  const from = instantOf(zone, local);
  const to = instantOf(zone, local + dayMs) - 1;
  const load = useQuery(loadQuery(scope, { from, to, zone, part }, '1m'));
  const bins = load.data?.bins.filter(({ from: at }) => Date.parse(at) <= to) ?? [];
  const heat = heatOfDay(bins, zone);
  const peaks = load.data === undefined ? undefined : peaksOf(load.data.peaks, bins, zone, now);
  const rowOf = (at: number) => Math.floor(wallTime(zone, at).minute / 15);
  const events = eventsOn(local, material);
  return (
    <div className="cols-side">
      <div className="stack">
        <section className="card" aria-labelledby="quarters">
          <header className="flex-wrap">
            <h2 id="quarters">By the quarter hour</h2>
            <span className="t3">most starts at one moment, {placeOf(zone)} time</span>
            <span className="flex-1" />
            <HeatLegend />
          </header>
          <div
            className="body relative overflow-x-auto"
            tabIndex={0}
            role="region"
            aria-label="Load by quarter hour"
          >
            {load.data === undefined ? (
              load.error === null ? (
                <SkeletonBox height={150} />
              ) : (
                <Failed what="The load" error={load.error} onRetry={() => void load.refetch()} />
              )
            ) : (
              <HeatTable
                label="Starts by quarter hour"
                heat={heat}
                rows={quarters.map((minute) => ({
                  name: `:${two(minute)}`,
                  timeOf: (hour) => `${two(hour)}:${two(minute)}`,
                }))}
                rings={ringsOf(peaks ?? [], rowOf, zone)}
              />
            )}
          </div>
        </section>
        <section className="card" aria-labelledby="minutes">
          <header className="flex-wrap">
            <h2 id="minutes">By the minute</h2>
            <span className="t3">
              {load.data === undefined
                ? 'counting the starts…'
                : `${plural(
                    bins.reduce((sum, { starts }) => sum + starts, 0),
                    'start',
                  )} ${to < now ? 'by the specs of today' : 'planned'}${started === undefined ? '' : `, ${countText(started)} have started`}`}
            </span>
          </header>
          <div className="body">
            {load.data === undefined ? (
              <SkeletonBox height={96} />
            ) : (
              <Minutes
                counts={minutesOf(bins, zone)}
                now={now >= from && now <= to ? (now + offsetAt(zone, now) - local) / minuteMs : undefined}
              />
            )}
          </div>
        </section>
      </div>
      <div className="stack">
        <section className="card" aria-labelledby="events">
          <header>
            <h2 id="events">On this day</h2>
          </header>
          <div className="body">
            {events.length === 0 ? (
              <p className="t3">Nothing keeps a schedule from running.</p>
            ) : (
              <EventList events={events} />
            )}
          </div>
        </section>
        <Peaks peaks={peaks} when="this day" />
        {load.data?.peaks[0] !== undefined && to > now && (
          <Spread peak={load.data.peaks[0]} zone={zone} part={part} />
        )}
      </div>
    </div>
  );
}

const height = 88;

/** One bar for each minute, with the line of now. */
function Minutes({ counts, now }: { readonly counts: readonly number[]; readonly now: number | undefined }) {
  const most = Math.max(1, ...counts);
  const path = counts
    .map((count, minute) =>
      count === 0
        ? ''
        : `M${minute} ${height}v${-Math.max(1, (count / most) * (height - 6)).toFixed(1)}h1V${height}`,
    )
    .join('');
  const busiest = counts.indexOf(most);
  return (
    <>
      <svg
        viewBox={`0 0 1440 ${height}`}
        preserveAspectRatio="none"
        className="block w-full"
        style={{ height }}
        role="img"
        aria-label={`Starts at one moment by the minute; the most are ${most}, at ${clockText('UTC', busiest * minuteMs)}`}
      >
        <path d={`M0 ${height - 0.5}H1440`} stroke="var(--line-2)" vectorEffect="non-scaling-stroke" />
        <path d={path} fill="color-mix(in srgb, var(--busy) 72%, var(--surface))" />
        {now !== undefined && (
          <path
            d={`M${now} 0V${height}`}
            stroke="var(--ink)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      <div className="micro mt-1 flex justify-between" aria-hidden="true">
        {[0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => (
          <span key={hour}>{two(hour)}</span>
        ))}
      </div>
      <p className="micro mt-1">
        The most at once: {countText(most)}, at {clockText('UTC', busiest * minuteMs)}.
      </p>
    </>
  );
}
