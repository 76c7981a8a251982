/** A month: each day with its starts by the hour and what happens on it. Past days show what did start. */
import { Go } from '../parts/Go.tsx';
import { plural } from '../time/text.ts';
import { EventLines } from './Events.tsx';
import type { EventMaterial } from './events.ts';
import { eventsOn } from './events.ts';
import type { MonthDay } from './heat.ts';
import { dateOf } from './heat.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

interface MonthProps {
  readonly days: readonly MonthDay[];
  /** Starts by day and hour. */
  readonly starts: ReadonlyMap<number, readonly number[]>;
  readonly material: EventMaterial;
  readonly to: (date: string) => string;
}

export function Month({ days, starts, material, to }: MonthProps) {
  const busiest = Math.max(1, ...[...starts.values()].flat());
  return (
    <>
      <div className="grid grid-cols-7" aria-hidden="true">
        {weekdays.map((name) => (
          <span key={name} className="label px-2 py-1.5">
            {name}
          </span>
        ))}
      </div>
      <ol className="month">
        {days.map(({ local, day, isOut, isToday }, place) => {
          const hours = starts.get(local) ?? [];
          const sum = hours.reduce((total, count) => total + count, 0);
          const address = to(dateOf(local));
          return (
            <li key={local} className={`${isOut ? 'out' : ''} ${isToday ? 'today' : ''}`}>
              <span className="flex items-start justify-between gap-1">
                <Go
                  to={address}
                  className={`day ${isToday ? 'font-semibold' : ''}`}
                  aria-current={isToday ? 'date' : undefined}
                  title={sum === 0 ? undefined : plural(sum, 'start')}
                >
                  <span className="sr">{weekdays[place % 7]} </span>
                  {day}
                  {sum > 0 && <span className="sr">, {plural(sum, 'start')}</span>}
                </Go>
                {sum > 0 && <Spark hours={hours} most={busiest} />}
              </span>
              <EventLines events={eventsOn(local, material)} to={address} />
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** The starts of a day, one bar for each two hours. */
function Spark({ hours, most }: { readonly hours: readonly number[]; readonly most: number }) {
  const bars = Array.from({ length: 12 }, (_, place) =>
    Math.max(hours[2 * place] ?? 0, hours[2 * place + 1] ?? 0),
  );
  return (
    <svg className="spark" width="48" height="16" viewBox="0 0 48 16" aria-hidden="true">
      {bars.map((count, place) => {
        const height = count === 0 ? 0 : Math.max(1.5, (15 * count) / most);
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a bar is
        return <rect key={place} x={place * 4} y={16 - height} width="3" height={height} />;
      })}
    </svg>
  );
}
