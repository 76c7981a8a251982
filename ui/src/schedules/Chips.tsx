import type { ScheduleCounts } from 'carillon/client';
import { countText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { hasToken, withoutState, withState } from './filter.ts';

interface Chip {
  readonly token: string;
  readonly text: string;
  readonly look: Look;
  /** Another spelling of the token. */
  readonly also?: string;
  readonly count: (counts: ScheduleCounts) => number;
}

const chips: readonly Chip[] = [
  { token: 'is:failing', text: 'Failing', look: 'failed', count: ({ failing }) => failing },
  { token: 'is:overdue', text: 'Overdue', look: 'overdue', count: ({ late }) => late },
  { token: 'is:noworker', text: 'No worker', look: 'untaken', count: ({ noWorker }) => noWorker },
  { token: 'is:skipping', text: 'Skipping', look: 'skippedOverlap', count: ({ skipping }) => skipping },
  {
    token: 'state:quarantined',
    text: 'Quarantined',
    look: 'quarantined',
    count: ({ quarantined }) => quarantined,
  },
  { token: 'state:paused', text: 'Paused', look: 'paused', count: ({ paused }) => paused },
  {
    token: 'is:busy',
    also: 'is:running',
    text: 'Running or waiting',
    look: 'running',
    count: ({ busy }) => busy,
  },
  { token: 'state:ended', text: 'Ended', look: 'afterEnd', count: ({ ended }) => ended },
];

interface ChipsProps {
  readonly q: string;
  readonly counts: ScheduleCounts | undefined;
  readonly onPick: (q: string) => void;
}

/** The states with live counts. A state without schedules is left out. */
export function Chips({ q, counts, onPick }: ChipsProps) {
  if (counts === undefined) return null;
  const isAll = withoutState(q) === q.trim().replace(/\s+/g, ' ');
  return (
    <fieldset className="flex flex-wrap gap-1.5" aria-label="State">
      <button type="button" className="chip" aria-pressed={isAll} onClick={() => onPick(withState(q, ''))}>
        All <b>{countText(counts.total)}</b>
      </button>
      {chips.map(({ token, also, text, look, count }) => {
        const isOn = hasToken(q, token) || (also !== undefined && hasToken(q, also));
        const number = count(counts);
        if (number === 0 && !isOn) return null;
        return (
          <button
            key={token}
            type="button"
            className="chip"
            aria-pressed={isOn}
            onClick={() => onPick(withState(q, isOn ? '' : token))}
          >
            <Mark look={look} />
            {text} <b>{countText(number)}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
