/** What all schedules will do: the coming week by hour, a day by the minute, the month by day, and what starts together. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { silencesQuery } from '../overview/queries.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Search } from '../route/search.ts';
import { stringifySearch } from '../route/search.ts';
import { usePageZone } from '../time/choice.ts';
import { useMinute } from '../time/now.ts';
import { countText, dayText, plural } from '../time/text.ts';
import { useZoneTables } from '../time/use-zone-tables.ts';
import { dayMs, instantOf, wallTime } from '../time/zone.ts';
import { ClockAhead } from './ClockAhead.tsx';
import { Filter, readPart } from './Filter.tsx';
import { dateOf, daysOf, firstOfMonth, heatOfWeek, localDay, mondayOf, monthOf, readDate } from './heat.ts';
import { Month } from './Month.tsx';
import { Pager } from './Pager.tsx';
import { Peaks } from './Peaks.tsx';
import { peaksOf, ringsOf } from './peaks.ts';
import { clockQuery, daysQuery, loadQuery, startedQuery } from './queries.ts';
import { WeekDays, WeekHeat } from './Week.tsx';

// Parts that the first view does not show, or shows last.
const Day = lazyPart(async () => (await import('./Day.tsx')).Day);
const Spread = lazyPart(async () => (await import('./Spread.tsx')).Spread);

const views = [
  { value: 'load', text: 'Load' },
  { value: 'day', text: 'Day' },
  { value: 'week', text: 'Week' },
  { value: 'month', text: 'Month' },
] as const;
type View = (typeof views)[number]['value'];

export function Calendar() {
  useZoneTables();
  const scope = useScope();
  const links = useLinks();
  const mayChange = useMayChange();
  const minute = useMinute();
  const search = useSearch();
  const zone = usePageZone();
  const today = localDay(zone, minute);
  const q = search.q ?? '';
  const { part } = useMemo(() => readPart(q), [q]);
  const view: View = views.find(({ value }) => value === search.view)?.value ?? 'load';
  const shown = readDate(search.date, today);
  const at = (local: number) => instantOf(zone, local);

  // The heat of the load is the seven days from today on, that of a week is from its Monday.
  const weekFrom = view === 'week' ? mondayOf(shown) : today;
  const weekDays = Array.from({ length: 7 }, (_, place) => weekFrom + place * dayMs).sort(
    (a, b) => a - mondayOf(a) - (b - mondayOf(b)),
  );
  const month = monthOf(shown, today);
  const [first, last] = [month[0]?.local ?? today, (month.at(-1)?.local ?? today) + dayMs];
  const covered = {
    day: { from: at(shown), to: at(shown + dayMs) - 1 },
    week: { from: at(weekFrom), to: at(weekFrom + 7 * dayMs) - 1 },
    month: { from: at(first), to: at(last) - 1 },
    load: { from: at(first), to: at(last) - 1 },
  }[view];

  const hasWeek = view === 'load' || view === 'week';
  const hasMonth = view === 'load' || view === 'month';
  const week = useQuery({
    ...loadQuery(scope, { from: at(weekFrom), to: at(weekFrom + 7 * dayMs) - 1, zone, part }, '1h'),
    enabled: hasWeek,
  });
  // The plan begins today: the present specs say nothing about past starts.
  const planFrom = Math.max(covered.from, at(today));
  const plan = useQuery({
    ...loadQuery(scope, { from: planFrom, to: covered.to, zone, part }, '1h'),
    enabled: hasMonth && covered.to > planFrom,
  });
  const isPart = Object.keys(part).length > 0;
  const started = useQuery({
    ...startedQuery(scope, { from: covered.from, to: Math.min(covered.to, at(today + dayMs) - 1) }),
    enabled: !isPart && covered.from < minute && view !== 'week',
  });
  const days = useQuery(daysQuery(scope, { ...covered, zone, part }));
  const clock = useQuery(clockQuery(scope, at(today), part)).data?.items;
  const silences = useQuery(silencesQuery(scope)).data ?? [];
  const material = { days: days.data, clock: clock ?? [], silences, zone };

  const happened = (started.data?.bins ?? []).map(({ from, verdicts }) => ({
    from,
    starts: (verdicts.started ?? 0) + (verdicts.startedLate ?? 0),
  }));
  const starts = new Map([
    ...[...daysOf(happened, zone)].filter(([local]) => local < today),
    ...(hasMonth && plan.data !== undefined ? daysOf(plan.data.bins, zone) : []),
  ]);
  const heat = week.data === undefined ? undefined : heatOfWeek(week.data.bins, zone);
  const peaks = week.data === undefined ? undefined : peaksOf(week.data.peaks, week.data.bins, zone, minute);
  const rowOf = (time: number) => (wallTime(zone, time).weekday + 6) % 7;

  const say = (change: Search) => changeSearch(change, { replace: true });
  const dayAddress = (date: string) =>
    `${links.place('calendar')}${stringifySearch({ view: 'day', date, ...(q === '' ? {} : { q }) })}`;
  const go = (local: number) => say({ date: local === today ? undefined : dateOf(local) });
  const answered = view === 'month' ? plan.data : week.data;
  const isEmpty = view !== 'day' && answered?.schedules === 0 && days.data?.paused.length === 0;
  const monthCard = (
    <section className="card" aria-labelledby="month">
      <header>
        <h2 id="month">
          {new Date(firstOfMonth(shown)).toLocaleDateString('en-US', {
            month: 'long',
            year: 'numeric',
            timeZone: 'UTC',
          })}
        </h2>
        <span className="t3">{plan.isPending && plan.isEnabled ? 'counting the starts…' : ''}</span>
        <span className="flex-1" />
        <Pager
          what="Month"
          onMove={(step) => go(firstOfMonth(shown, step))}
          onToday={firstOfMonth(shown) === firstOfMonth(today) ? undefined : () => go(today)}
        />
      </header>
      {days.error !== null && (
        <Failed what="Exclusions and pauses" error={days.error} onRetry={() => void days.refetch()} />
      )}
      <Month days={month} starts={starts} material={material} to={dayAddress} />
    </section>
  );
  return (
    <Screen
      crumbs={[{ text: 'Calendar' }]}
      title="Calendar and load"
      sub="What all schedules will do, and what keeps some of them from it."
      acts={
        <>
          <div className="self-center">
            <Seg
              label="Shape"
              options={views}
              value={view}
              onChange={(next) => say({ view: next === 'load' ? undefined : next })}
            />
          </div>
          <Filter value={q} onChange={(next) => say({ q: next === '' ? undefined : next })} />
        </>
      }
    >
      <div className="stack">
        {answered !== undefined && answered.counted < answered.schedules && (
          <Note family="policy">
            {countText(answered.counted)} of {plural(answered.schedules, 'schedule')} are counted: the others
            start too often to count them all. Choose some by a tag or a handler.
          </Note>
        )}
        {isEmpty ? (
          <div className="card empty">
            <h2>{isPart ? 'No schedule matches' : 'Nothing is planned'}</h2>
            <p>
              {isPart
                ? `None has “${q}”, or none of those will start again.`
                : 'There is no schedule that will start.'}
            </p>
            {isPart ? (
              <button type="button" className="btn mt-2" onClick={() => say({ q: undefined })}>
                Show all
              </button>
            ) : (
              mayChange && (
                <Go className="btn mt-2" to={links.place('schedules/new')}>
                  Create a schedule
                </Go>
              )
            )}
          </div>
        ) : (
          <>
            {(view === 'day' || view === 'week') && (
              <div className="flex items-center gap-1">
                <h2 className="text-drawer mr-2 font-semibold">
                  {view === 'day'
                    ? `${dayText('UTC', shown)} ${new Date(shown).getUTCFullYear()}`
                    : `${dayText('UTC', weekFrom)} to ${dayText('UTC', weekFrom + 6 * dayMs)} ${new Date(weekFrom).getUTCFullYear()}`}
                </h2>
                <Pager
                  what={view === 'day' ? 'Day' : 'Week'}
                  onMove={(step) => go(shown + step * (view === 'day' ? 1 : 7) * dayMs)}
                  onToday={shown === today ? undefined : () => go(today)}
                />
              </div>
            )}
            {hasWeek && (
              <WeekHeat
                about={view === 'load' ? `the seven days from ${dayText('UTC', today)}` : 'this week'}
                zone={zone}
                heat={heat}
                error={week.error}
                onRetry={() => void week.refetch()}
                days={weekDays}
                rings={ringsOf(peaks ?? [], rowOf, zone)}
                to={dayAddress}
              />
            )}
            {view === 'load' && (
              <div className="cols-side">
                <div className="stack">
                  {monthCard}
                  <ClockAhead changes={clock} now={minute} />
                </div>
                <div className="stack">
                  <Peaks peaks={peaks} when="in seven days" />
                  {week.data?.peaks[0] !== undefined && (
                    <Suspense fallback={<SkeletonBox height={260} />}>
                      <Spread peak={week.data.peaks[0]} zone={zone} part={part} />
                    </Suspense>
                  )}
                </div>
              </div>
            )}
            {view === 'week' && (
              <div className="cols-side">
                <WeekDays monday={weekFrom} today={today} material={material} to={dayAddress} />
                <Peaks peaks={peaks} when="this week" />
              </div>
            )}
            {view === 'month' && monthCard}
            {view === 'day' && (
              <Suspense fallback={<SkeletonBox height={320} />}>
                <Day
                  local={shown}
                  now={minute}
                  zone={zone}
                  part={part}
                  material={material}
                  started={
                    started.data === undefined || isPart || shown > today
                      ? undefined
                      : happened.reduce((sum, bin) => sum + bin.starts, 0)
                  }
                />
              </Suspense>
            )}
          </>
        )}
        {days.data?.knownFrom != null && <KnownFrom zone={zone} at={Date.parse(days.data.knownFrom)} />}
        <div className="max-w-140">
          <Command text={commandOf(zone, part)} />
        </div>
      </div>
    </Screen>
  );
}

function KnownFrom({ zone, at }: { readonly zone: string; readonly at: number }) {
  return (
    <p className="t3">
      What changed before {dayText(zone, at)} {wallTime(zone, at).year} is not known: earlier days are told by
      the definitions of that day, without pauses that were over. A long audit is read in parts; read the page
      again for more of it, as far as it is kept.
    </p>
  );
}

function commandOf(
  zone: string,
  { tag = [], owner, name, text }: ReturnType<typeof readPart>['part'],
): string {
  const parts = [`carillon calendar --zone ${zone}`];
  for (const each of tag) parts.push(`--tag ${quoted(each)}`);
  if (owner !== undefined) parts.push(`--owner ${quoted(owner)}`);
  if (name !== undefined) parts.push(`--handler ${quoted(name)}`);
  if (text !== undefined) parts.push(`--text ${quoted(text)}`);
  return parts.join(' ');
}
