import type { ClockChanges } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { effects } from '../clock/effects.ts';
import { Go } from '../parts/Go.tsx';
import { clockText, countText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { placeOf } from '../time/zone.ts';
import { Word } from '../verdict/Mark.tsx';

const most = 3;

interface ClockAheadProps {
  readonly changes: ClockChanges['items'] | undefined;
  readonly now: number;
}

/** The next clock changes, and what schedules do then. */
export function ClockAhead({ changes = [], now }: ClockAheadProps) {
  const links = useLinks();
  const coming = changes.filter(({ at }) => Date.parse(at) > now).slice(0, most);
  if (coming.length === 0) return null;
  return (
    <section className="card" aria-labelledby="clock-ahead">
      <header>
        <h2 id="clock-ahead">Clock changes ahead</h2>
        <span className="flex-1" />
        <Go className="text-link" to={links.place('clock')}>
          All
        </Go>
      </header>
      <ul className="body grid gap-3">
        {coming.map(({ at, zone, byMinutes, touchedCount, effects: outcomes }) => {
          const when = Date.parse(at);
          return (
            <li key={`${zone} ${at}`}>
              <span className="flex justify-between gap-2">
                <b className="font-semibold">
                  {dayText(zone, when)} {clockText(zone, when)}, {placeOf(zone)}
                </b>
                <span className="micro whitespace-nowrap">{sinceText(when, now)}</span>
              </span>
              <span className="t2 block text-second">
                {lengthText(Math.abs(byMinutes) * 60_000)} {byMinutes < 0 ? 'back' : 'forward'},{' '}
                {touchedCount === 0 ? 'no schedule is touched' : plural(touchedCount, 'schedule')}
              </span>
              <span className="flex flex-wrap gap-x-3 text-second">
                {Object.entries(outcomes).map(([kind, count]) => (
                  <Word
                    key={kind}
                    look={effects[kind]?.look ?? 'notInSpec'}
                    text={`${effects[kind]?.text ?? kind}: ${countText(count)}`}
                  />
                ))}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
