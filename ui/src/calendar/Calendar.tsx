/** What all schedules will do: the coming week by hour, the month by day, and the worst moments. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import '../time/zone-tables.ts';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { silencesQuery } from '../overview/queries.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { usePageZone } from '../time/choice.ts';
import { useMinute } from '../time/now.ts';
import { clockText, countText, dayText, lengthText, months, plural } from '../time/text.ts';
import { dayMs, placeOf, startOfDay } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { ClockAhead } from './ClockAhead.tsx';
import { daysOf, heatOf, monthOf, silencesOn, stepOfLoad } from './heat.ts';
import { Spread } from './Spread.tsx';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const shares = [0, 18, 38, 62, 100];

export function Calendar() {
  const scope = useScope();
  const links = useLinks();
  const minute = useMinute();
  const navigate = useNavigate();
  const { month: asked = '0' } = useSearch({ strict: false }) as { readonly month?: string };
  const shift = Math.max(0, Math.min(12, Number(asked) || 0));
  const zone = usePageZone();
  const today = startOfDay(zone, minute);
  const monthShown = monthOf(minute, zone, shift);
  const first = monthShown.days[0]?.local ?? today;
  const last = (monthShown.days.at(-1)?.local ?? today) + dayMs;
  const load = (from: number, to: number, name: string) => ({
    queryKey: [scope.namespace, 'load', name, from, to],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      await scope.api.insight.load(
        { from: new Date(from).toISOString(), to: new Date(to).toISOString(), bin: '1h', zone },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
  const week = useQuery(load(today, today + 7 * dayMs - 1, 'week'));
  const month = useQuery(load(Math.max(first, today - dayMs), last, 'month'));
  const clock = useQuery({
    queryKey: [scope.namespace, 'clock', today, 'month'],
    queryFn: async ({ signal }) =>
      await scope.api.insight.clockChanges(
        { from: new Date(today).toISOString(), to: new Date(today + 400 * dayMs).toISOString() },
        { signal },
      ),
    staleTime: 300_000,
  }).data;
  const silences = useQuery(silencesQuery(scope)).data ?? [];
  const heat = week.data === undefined ? undefined : heatOf(week.data.bins, zone);
  const days = month.data === undefined ? undefined : daysOf(month.data.bins, zone);
  const busiest = Math.max(1, ...[...(days?.values() ?? [])].flat());
  const go = (next: number) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, month: next === 0 ? undefined : String(next) }),
      replace: true,
    } as never);
  return (
    <Screen crumbs={[{ text: 'Calendar' }]} title="Calendar and load" sub="What all schedules will do.">
      <div className="stack">
        <section className="card" aria-labelledby="heat">
          <header className="flex-wrap">
            <h2 id="heat">Hour by weekday</h2>
            <span className="t3">
              starts, the seven days from {dayText(zone, today)}, {placeOf(zone)} time
            </span>
            <span className="flex-1" />
            <span className="micro flex items-center gap-1" aria-hidden="true">
              few
              {shares.map((share) => (
                <i
                  key={share}
                  className="h-2.5 w-4 rounded-[2px]"
                  style={{ background: `color-mix(in srgb, var(--busy) ${share}%, var(--sunken))` }}
                />
              ))}
              many
            </span>
          </header>
          <div
            className="body relative overflow-x-auto"
            tabIndex={0}
            role="region"
            aria-label="Starts by hour and weekday"
          >
            {heat === undefined ? (
              week.error === null ? (
                <SkeletonBox height={220} />
              ) : (
                <Failed what="The load" error={week.error} onRetry={() => void week.refetch()} />
              )
            ) : (
              <table className="heat">
                <thead>
                  <tr>
                    <td />
                    {Array.from({ length: 24 }, (_, hour) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the hour is the index
                      <th key={hour} scope="col">
                        {hour % 3 === 0 ? String(hour).padStart(2, '0') : <span className="sr">{hour}</span>}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {heat.cells.map((row, weekday) => (
                    <tr key={weekdays[weekday]}>
                      <th scope="row">{weekdays[weekday]}</th>
                      {row.map((count, hour) => {
                        const step = stepOfLoad(count, heat.most, heat.least);
                        return (
                          <td
                            // biome-ignore lint/suspicious/noArrayIndexKey: the hour is the index
                            key={hour}
                            className={`${step === 4 ? 'high' : ''} ${step === 4 && count === heat.most ? 'peak' : ''}`}
                            style={{
                              background: `color-mix(in srgb, var(--busy) ${shares[step]}%, var(--sunken))`,
                            }}
                            title={`${weekdays[weekday]} ${String(hour).padStart(2, '0')}:00, ${plural(count, 'start')}`}
                          >
                            {step >= 3 ? countText(count) : <span className="sr">{count}</span>}
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </div>
        </section>
        <div className="cols-side">
          <div className="stack">
            <section className="card" aria-labelledby="month">
              <header>
                <h2 id="month">
                  {months[monthShown.month]} {monthShown.year}
                </h2>
                <span className="t3">{month.data === undefined ? 'counting the starts…' : ''}</span>
                <span className="flex-1" />
                <button
                  type="button"
                  className="btn quiet icon"
                  aria-label="Month before"
                  disabled={shift === 0}
                  onClick={() => go(shift - 1)}
                >
                  <Icon name="left" />
                </button>
                <button type="button" className="btn quiet" onClick={() => go(0)}>
                  Today
                </button>
                <button
                  type="button"
                  className="btn quiet icon"
                  aria-label="Month after"
                  onClick={() => go(shift + 1)}
                >
                  <Icon name="right" />
                </button>
              </header>
              <div className="grid grid-cols-7">
                {weekdays.map((name) => (
                  <span key={name} className="label px-2 py-1.5">
                    {name}
                  </span>
                ))}
              </div>
              <ol className="month">
                {monthShown.days.map(({ local, day, isOut, isToday }) => {
                  const hours = days?.get(local);
                  const sum = hours?.reduce((total, count) => total + count, 0) ?? 0;
                  const changes =
                    clock?.items.filter(
                      ({ at }) => at.slice(0, 10) === new Date(local).toISOString().slice(0, 10),
                    ) ?? [];
                  return (
                    <li key={local} className={`${isOut ? 'out' : ''} ${isToday ? 'today' : ''}`}>
                      <span className="flex items-start justify-between">
                        <b className={isToday ? 'font-semibold' : 'font-normal'}>{day}</b>
                        {hours !== undefined && sum > 0 && <Spark hours={hours} most={busiest} />}
                      </span>
                      {sum > 0 && <span className="micro block">{plural(sum, 'start')}</span>}
                      {changes.slice(0, 1).map(({ byMinutes, touchedCount, zone: where }) => (
                        <Go key={where} to={links.place('clock')} className="micro flex items-center gap-1">
                          <Mark look={byMinutes < 0 ? 'dstFold' : 'dstGap'} />
                          clock {byMinutes < 0 ? 'back' : 'on'}
                          {touchedCount === 0 ? '' : `, ${countText(touchedCount)}`}
                        </Go>
                      ))}
                      {silencesOn(silences, local, zone).map(({ from, length }) => (
                        <span key={from} className="micro flex items-center gap-1">
                          <Mark look="overdue" />
                          no node, {lengthText(length)}
                        </span>
                      ))}
                    </li>
                  );
                })}
              </ol>
            </section>
            <ClockAhead changes={clock?.items} now={minute} />
          </div>
          <div className="stack">
            <section className="card" aria-labelledby="peaks">
              <header>
                <h2 id="peaks">Peaks</h2>
                <span className="t3">at one moment, this week</span>
              </header>
              <ol className="body grid gap-3">
                {(week.data?.peaks ?? []).slice(0, 4).map(({ at, starts, schedules }) => (
                  <li key={at}>
                    <span className="flex justify-between">
                      <b className="font-semibold">
                        {dayText(zone, Date.parse(at))} {clockText(zone, Date.parse(at))}
                      </b>
                      <span>
                        <b className="font-semibold">{countText(starts)}</b> at once
                      </span>
                    </span>
                    <span className="my-1 block h-1 rounded-full bg-sunken">
                      <span
                        className="block h-1 rounded-full bg-busy"
                        style={{
                          width: `${(100 * starts) / Math.max(1, week.data?.peaks[0]?.starts ?? 1)}%`,
                        }}
                      />
                    </span>
                    <span className="micro">
                      {schedules.map((id, index) => (
                        <span key={id}>
                          {index > 0 && ', '}
                          <Go className="link" to={links.schedule(id)}>
                            {id}
                          </Go>
                        </span>
                      ))}
                      {starts > schedules.length && ` and ${starts - schedules.length} more`}
                    </span>
                  </li>
                ))}
                {week.data !== undefined && week.data.peaks.length === 0 && (
                  <li className="t3">No two schedules start together.</li>
                )}
              </ol>
            </section>
            {week.data?.peaks[0] !== undefined && <Spread peak={week.data.peaks[0]} zone={zone} />}
          </div>
        </div>
        <div className="max-w-140">
          <Command text="carillon schedule list --json" />
        </div>
      </div>
    </Screen>
  );
}

function Spark({ hours, most }: { readonly hours: readonly number[]; readonly most: number }) {
  return (
    <svg width="46" height="14" viewBox="0 0 48 14" aria-hidden="true">
      {hours.map((count, hour) =>
        count === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the hour is the index
            key={hour}
            x={hour * 2}
            y={14 - Math.max(1, (13 * count) / most)}
            width="1.5"
            height={Math.max(1, (13 * count) / most)}
            fill="var(--line-2)"
          />
        ),
      )}
    </svg>
  );
}
