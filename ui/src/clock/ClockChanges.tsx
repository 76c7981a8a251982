/** Coming clock changes of all zones in use, by date; per schedule what will happen, and the rule that says so. */

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ClockChange } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { SkeletonRows } from '../parts/Skeleton.tsx';
import { Table } from '../parts/Table.tsx';
import { useMinute } from '../time/now.ts';
import { clockText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { dayMs, wallTime } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';
import { effects } from './effects.ts';

export function ClockChanges() {
  const scope = useScope();
  const now = useMinute();
  const navigate = useNavigate();
  const { q = '', effect } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  const today = Math.floor(now / dayMs) * dayMs;
  const { data, error, refetch } = useQuery({
    queryKey: [scope.namespace, 'clock', today],
    queryFn: async ({ signal }) =>
      await scope.api.insight.clockChanges(
        { from: new Date(today).toISOString(), to: new Date(today + 400 * dayMs).toISOString() },
        { signal },
      ),
    staleTime: 300_000,
  });
  const say = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...change }),
      replace: true,
    } as never);
  const items = data?.items ?? [];
  const shown = items
    .map((item) => ({
      ...item,
      touched: item.touched.filter(
        (each) => each.id.includes(q) && (effect === undefined || each.effect === effect),
      ),
    }))
    .filter(({ touched }) => (q === '' && effect === undefined) || touched.length > 0);
  const kinds = [...new Set(items.flatMap(({ touched }) => touched.map((each) => each.effect)))];
  return (
    <Screen
      crumbs={[{ text: 'Clock changes' }]}
      title="Clock changes"
      sub="Every coming change of the zones in use, and what each schedule does then."
    >
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <div className="query max-w-80">
          <input
            data-query=""
            type="search"
            aria-label="Find schedules"
            placeholder="Find a schedule…"
            value={q}
            onChange={(event) => say({ q: event.target.value })}
          />
        </div>
        <fieldset className="flex flex-wrap gap-1.5" aria-label="Effect">
          {kinds.map((kind) => (
            <button
              key={kind}
              type="button"
              className="chip"
              aria-pressed={effect === kind}
              onClick={() => say({ effect: effect === kind ? undefined : kind })}
            >
              {effects[kind]?.text ?? kind}
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
            <h2>{items.length === 0 ? 'No clock changes ahead' : 'None matches'}</h2>
            <p>
              {items.length === 0
                ? 'No zone in use changes its clock within 400 days.'
                : 'No schedule is touched in that way.'}
            </p>
          </div>
        )}
        {shown.map((item) => (
          <ChangeCard key={`${item.zone} ${item.at}`} change={item} now={now} />
        ))}
        <div className="max-w-140">
          <Command text="carillon dst" />
        </div>
      </div>
    </Screen>
  );
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
          the clock goes {change.byMinutes < 0 ? 'back' : 'forward'}{' '}
          {lengthText(Math.abs(change.byMinutes) * 60_000)}, to {clockText(change.zone, at)}
        </span>
        <span className="flex-1" />
        <span className="t3">
          {sinceText(at, now)} · {change.touchedCount} of {plural(change.schedules, 'schedule')} touched
        </span>
      </header>
      {change.touched.length === 0 ? (
        <p className="body t3">Nothing happens to any schedule.</p>
      ) : (
        <Table head={['Schedule', 'Wall-clock time', 'What happens', 'Runs at', 'Rule']} className="even">
          {change.touched.map(({ id, effect, local, count, runsAt, runsAtLocal, rule }) => (
            <tr key={`${id} ${local} ${effect}`}>
              <td>
                <Go
                  className="font-medium hover:underline"
                  to={links.schedule(
                    id,
                    runsAt[0] === undefined ? {} : { at: runsAt[0].replace('.000', '') },
                  )}
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
                {runsAtLocal.length === 0 ? 'not at all' : runsAtLocal.map(timeOf).join(', ')}
              </td>
              <td>
                <code>{rule}</code>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** `2027-03-14T02:30:00` as 02:30. */
function timeOf(local: string): string {
  return /(\d\d:\d\d)(?::00)?/.exec(local)?.[1] ?? local;
}
