/** The last due times of a producer, the newest first: the verdict of each, and the reason. */
import type { HostSlotJson } from 'carillon/client';
import { useState } from 'react';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { useZoneOf } from '../time/choice.ts';
import { whenText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import { dueText, lookOfDue } from './host.ts';
import { Why } from './Why.tsx';

interface DueTimesProps {
  readonly id: string;
  readonly producer: string;
  readonly zone: string;
  readonly slots: readonly HostSlotJson[];
  readonly now: number;
}

export function DueTimes({ id, producer, zone, slots, now }: DueTimesProps) {
  const links = useLinks();
  const shownIn = useZoneOf(zone);
  const [asked, setAsked] = useState<string>();
  return (
    <ul>
      {slots.map((slot) => {
        const { nominal, run } = slot;
        const isAsked = asked === nominal;
        return (
          <li key={nominal}>
            <div className="flex items-center justify-between gap-2 py-0.5">
              <button
                type="button"
                className="flex min-w-0 items-center gap-1.5 text-second"
                aria-expanded={isAsked}
                title="Why"
                onClick={() => setAsked(isAsked ? undefined : nominal)}
              >
                <Mark look={lookOfDue(slot)} />
                <span className="tnum whitespace-nowrap">{whenText(shownIn, Date.parse(nominal), now)}</span>
                <span className="t2 truncate">{dueText(slot)}</span>
              </button>
              {run !== null && (
                <Go className="link text-second" to={links.run(run.id)} aria-label={`Run of ${nominal}`}>
                  run
                </Go>
              )}
            </div>
            {isAsked && <Why id={id} question={{ producer, at: nominal }} />}
          </li>
        );
      })}
    </ul>
  );
}
