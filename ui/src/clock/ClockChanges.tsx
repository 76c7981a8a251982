/** Coming clock changes of all zones in use, by date; per schedule what will happen, and the rule that says so. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ClockChange } from 'carillon/client';
import { useMemo } from 'react';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { Filter, readPart } from '../calendar/Filter.tsx';
import { useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { Table } from '../parts/Table.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import type { Search } from '../route/search.ts';
import { useMinute } from '../time/now.ts';
import { clockText, countText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { dayMs, wallTime } from '../time/zone.ts';
import { Mark, Word } from '../verdict/Mark.tsx';
import { commandOf, joinedUntouched } from './changes.ts';
import { effects } from './effects.ts';

export function ClockChanges() {
  const scope = useScope();
  const now = useMinute();
  const { q = '', effect } = useSearch();
  const today = Math.floor(now / dayMs) * dayMs;
  const { part } = useMemo(() => readPart(q), [q]);
  const { data, error, refetch } = useQuery({
    queryKey: [scope.namespace, 'clock', today, part],
    queryFn: async ({ signal }) =>
      await scope.api.insight.clockChanges(
        { from: new Date(today).toISOString(), to: new Date(today + 400 * dayMs).toISOString(), ...part },
        { signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  });
  const say = (change: Search) => changeSearch(change, { replace: true });
  const items = data?.items ?? [];
  const shown = items
    .map((item) => ({
      ...item,
      touched: item.touched.filter((each) => effect === undefined || each.effect === effect),
    }))
    .filter(({ touched }) => (q === '' && effect === undefined) || touched.length > 0);
  const counts = new Map<string, number>();
  for (const { effects: outcomes } of items) {
    for (const [kind, count] of Object.entries(outcomes)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  if (effect !== undefined && !counts.has(effect)) counts.set(effect, 0);
  return (
    <Screen
      crumbs={[{ text: 'Clock changes' }]}
      title="Clock changes"
      sub="Every coming change of the zones in use, and what each schedule does then."
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Filter value={q} onChange={(next) => say({ q: next === '' ? undefined : next })} />
        <fieldset className="flex flex-wrap gap-1.5" aria-label="Effect">
          {[...counts].map(([kind, count]) => (
            <button
              key={kind}
              type="button"
              className="chip"
              aria-pressed={effect === kind}
              onClick={() => say({ effect: effect === kind ? undefined : kind })}
            >
              <Mark look={effects[kind]?.look ?? 'notInSpec'} />
              {effects[kind]?.text ?? kind} <b>{countText(count)}</b>
            </button>
          ))}
        </fieldset>
      </div>
      <div className="stack">
        {data === undefined && (
          <div className="card">
            {error === null ? (
              <SkeletonRows rows={5} height={48} />
            ) : (
              <Failed what="The clock changes" error={error} onRetry={() => void refetch()} />
            )}
          </div>
        )}
        {data !== undefined && shown.length === 0 && (
          <div className="card empty">
            <h2>{q === '' && effect === undefined ? 'No clock changes ahead' : 'None matches'}</h2>
            <p>{nothingText(q, effect)}</p>
            {(q !== '' || effect !== undefined) && (
              <button
                type="button"
                className="btn mt-2"
                onClick={() => say({ q: undefined, effect: undefined })}
              >
                Show all
              </button>
            )}
          </div>
        )}
        {joinedUntouched(shown).map((same) =>
          same.length === 1 && same[0] !== undefined ? (
            <ChangeCard key={`${same[0].zone} ${same[0].at}`} change={same[0]} now={now} />
          ) : (
            <UntouchedCard key={`${same[0]?.zone} ${same[0]?.at}`} changes={same} now={now} />
          ),
        )}
        <div className="max-w-140">
          <Command text={q === '' && effect === undefined ? 'carillon dst' : commandOf(shown)} />
        </div>
      </div>
    </Screen>
  );
}

/** Why no clock change is shown. */
function nothingText(q: string, effect: string | undefined): string {
  if (q === '' && effect === undefined) return 'No zone in use changes its clock within 400 days.';
  if (effect === undefined)
    return `No schedule that has “${q}” is touched by a clock change within 400 days.`;
  return `No schedule${q === '' ? '' : ` that has “${q}”`} is touched in that way.`;
}

interface UntouchedCardProps {
  readonly changes: readonly ClockChange[];
  readonly now: number;
}

/** Zones that change their clocks on the same day, none of whose schedules notices. */
function UntouchedCard({ changes, now }: UntouchedCardProps) {
  const [first] = changes;
  if (first === undefined) return null;
  const at = Date.parse(first.at);
  const schedules = changes.reduce((sum, each) => sum + each.schedules, 0);
  const title = `${dayText(first.zone, at)} ${wallTime(first.zone, at).year}, ${plural(changes.length, 'zone')}`;
  return (
    <section className="card" aria-label={title}>
      <header className="flex-wrap">
        <h2>{title}</h2>
        <span className="t2">{movedText(first)}</span>
        <span className="flex-1" />
        <span className="t3">
          {sinceText(at, now)} · 0 of {plural(schedules, 'schedule')} touched
        </span>
      </header>
      <p className="body t3">
        Nothing happens to any schedule in {changes.map(({ zone }) => zone).join(', ')}.
      </p>
    </section>
  );
}

function movedText({ byMinutes }: ClockChange): string {
  return `the clock goes ${byMinutes < 0 ? 'back' : 'forward'} ${lengthText(Math.abs(byMinutes) * 60_000)}`;
}

function ChangeCard({ change, now }: { readonly change: ClockChange; readonly now: number }) {
  const links = useLinks();
  const at = Date.parse(change.at);
  const { year } = wallTime(change.zone, at);
  return (
    <section className="card" aria-label={`${change.zone} ${change.at}`}>
      <header className="flex-wrap">
        <h2>
          {dayText(change.zone, at)} {year}, {change.zone}
        </h2>
        <span className="t2">
          {movedText(change)}, to {clockText(change.zone, at)}
        </span>
        <span className="flex-1" />
        <span className="t3">
          {sinceText(at, now)} · {change.touchedCount} of {plural(change.schedules, 'schedule')} touched
        </span>
      </header>
      {change.touched.length === 0 ? (
        <p className="body t3">Nothing happens to any schedule.</p>
      ) : (
        <Table
          name={`Schedules touched in ${change.zone}`}
          head={['Schedule', 'Wall-clock time', 'What happens', 'Runs at', 'Rule']}
          className="even"
        >
          {change.touched.map(({ id, effect, local, count, runsAt, runsAtLocal, rule }) => (
            <tr key={`${id} ${local} ${effect}`}>
              <td>
                <Go
                  className="font-medium hover:underline"
                  to={links.schedule(id, { at: slotAt(runsAt[0] ?? change.at) })}
                >
                  {id}
                </Go>
              </td>
              <td>
                {timeOf(local)}
                {count > 1 && <span className="t3"> and {count - 1} more</span>}
              </td>
              <td>
                <Word look={effects[effect]?.look ?? 'notInSpec'} text={effects[effect]?.text ?? effect} />
              </td>
              <td className="t2">
                {runsAtLocal.length === 0 ? (
                  <Go className="link" to={links.schedule(id, { at: slotAt(change.at) })}>
                    not at all
                  </Go>
                ) : (
                  runsAtLocal.map((each, index) => (
                    <span key={runsAt[index] ?? each}>
                      {index > 0 && ', '}
                      <Go
                        className="link"
                        to={links.schedule(id, { at: slotAt(runsAt[index] ?? change.at) })}
                      >
                        {timeOf(each)}
                        {index > 0 && timeOf(each) === timeOf(runsAtLocal[0] ?? '') ? ' again' : ''}
                      </Go>
                    </span>
                  ))
                )}
              </td>
              <td>
                <code>{rule}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {change.touchedCount > mostNamed && (
        <p className="t3 border-t border-line px-4 py-2">
          {countText(mostNamed)} of {countText(change.touchedCount)} are named. Find the others by a name, a
          tag or a handler.
        </p>
      )}
    </section>
  );
}

/** The most schedules that the server names for each change. */
const mostNamed = 200;

/** The time as addresses have it: whole seconds. */
function slotAt(time: string): string {
  return time.replace('.000', '');
}

/** The time of `2027-03-14T02:30:00`, 02:30. */
function timeOf(local: string): string {
  return /(\d\d:\d\d)(?::00)?/.exec(local)?.[1] ?? local;
}
