/** What happens on a day besides starts: as lines of a cell, and in whole sentences with the schedules' names. */
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { Mark } from '../verdict/Mark.tsx';
import type { DayEvent } from './events.ts';
import { joinedPauses } from './events.ts';
import { Names } from './Peaks.tsx';

const mostLines = 3;

interface EventLinesProps {
  readonly events: readonly DayEvent[];
  /** The address of the whole day. */
  readonly to: string;
}

export function EventLines({ events, to }: EventLinesProps) {
  const lines = joinedPauses(events);
  const shown = lines.slice(0, lines.length > mostLines ? mostLines - 1 : mostLines);
  if (lines.length === 0) return null;
  return (
    <Go to={to} className="events" title={events.map(({ text }) => text).join('\n')}>
      {shown.map(({ key, look, short }) => (
        <span key={key}>
          <Mark look={look} />
          <span className="truncate">{short}</span>
        </span>
      ))}
      {lines.length > shown.length && (
        <span>
          +{lines.length - shown.length}
          <span className="sr">more</span>
        </span>
      )}
    </Go>
  );
}

export function EventList({ events }: { readonly events: readonly DayEvent[] }) {
  const links = useLinks();
  return (
    <ul className="grid gap-2">
      {events.map(({ key, look, text, only, ids, schedules, place }) => (
        <li key={key} className="flex gap-2">
          <span className="mt-1 flex-none">
            <Mark look={look} />
          </span>
          <span className="min-w-0">
            {only === undefined ? (
              place === undefined ? (
                text
              ) : (
                <Go className="link" to={links.place(place)}>
                  {text}
                </Go>
              )
            ) : (
              <Sentence text={text} id={only} to={links.schedule(only)} />
            )}
            {only === undefined && ids.length > 0 && (
              <span className="micro mt-1 block leading-6!">
                <Names ids={ids} count={schedules} to={links.schedule} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The sentence with the name in it as a link. */
function Sentence({ text, id, to }: { readonly text: string; readonly id: string; readonly to: string }) {
  // A note may contain the name as well, so the last occurrence is the link.
  const place = text.lastIndexOf(id);
  return (
    <>
      {text.slice(0, place)}
      <Go className="link" to={to}>
        {id}
      </Go>
      {text.slice(place + id.length)}
    </>
  );
}
