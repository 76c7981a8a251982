/** A week by hour and weekday, and what happens on each of its days. */
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { dayText } from '../time/text.ts';
import { dayMs, placeOf } from '../time/zone.ts';
import { EventList } from './Events.tsx';
import type { EventMaterial } from './events.ts';
import { eventsOn, joinedPauses } from './events.ts';
import { HeatLegend, HeatTable } from './HeatTable.tsx';
import type { Heat } from './heat.ts';
import { dateOf } from './heat.ts';

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const two = (value: number) => String(value).padStart(2, '0');

interface WeekHeatProps {
  /** The range in words, such as `the seven days from Wed 18 Nov`. */
  readonly about: string;
  readonly zone: string;
  /** Undefined while it is counted. */
  readonly heat: Heat | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** The local days of the rows, from Monday. */
  readonly days: readonly number[];
  readonly rings: ReadonlySet<string>;
  readonly to: (date: string) => string;
}

export function WeekHeat({ about, zone, heat, error, onRetry, days, rings, to }: WeekHeatProps) {
  return (
    <section className="card" aria-labelledby="heat">
      <header className="flex-wrap">
        <h2 id="heat">Hour by weekday</h2>
        <span className="t3">
          most starts at one moment, {about}, {placeOf(zone)} time
        </span>
        <span className="flex-1" />
        <HeatLegend />
      </header>
      <div
        className="body relative overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label="Starts by hour and weekday"
      >
        {heat === undefined ? (
          error === null ? (
            <SkeletonBox height={250} />
          ) : (
            <Failed what="The load" error={error} onRetry={onRetry} />
          )
        ) : (
          <HeatTable
            label="Starts by hour and weekday"
            heat={heat}
            rows={weekdays.map((name, row) => {
              const local = days[row] ?? 0;
              return {
                name,
                timeOf: (hour) => `${dayText('UTC', local)} ${two(hour)}:00`,
                to: to(dateOf(local)),
              };
            })}
            rings={rings}
          />
        )}
      </div>
    </section>
  );
}

interface WeekDaysProps {
  readonly monday: number;
  readonly today: number;
  readonly material: EventMaterial;
  readonly to: (date: string) => string;
}

export function WeekDays({ monday, today, material, to }: WeekDaysProps) {
  const days = weekdays.map((_, place) => monday + place * dayMs);
  return (
    <section className="card" aria-labelledby="week-days">
      <header>
        <h2 id="week-days">What happens</h2>
      </header>
      <dl className="week-days">
        {days.map((local) => {
          const events = joinedPauses(eventsOn(local, material));
          return (
            <div key={local} className={local === today ? 'today' : ''}>
              <dt>
                <Go to={to(dateOf(local))}>{dayText('UTC', local)}</Go>
              </dt>
              <dd>
                {events.length === 0 ? (
                  <span className="t3">Nothing keeps a schedule from running.</span>
                ) : (
                  <EventList events={events} />
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
