import { useLinks } from '../app/links.ts';
import { Command } from '../parts/Copy.tsx';
import { Go } from '../parts/Go.tsx';
import { countText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';

interface NothingFoundProps {
  readonly q: string;
  readonly total: number;
  readonly onClear: () => void;
}

/** Nothing there yet, or nothing that matches. */
export function NothingFound({ q, total, onClear }: NothingFoundProps) {
  const links = useLinks();
  if (q !== '') {
    return (
      <div className="card empty">
        <h2>{total === 0 ? 'No schedule matches' : `None of ${countText(total)} schedules match`}</h2>
        <p>“{q}” is in no name, tag, handler or note, or no schedule is in that state.</p>
        <button type="button" className="btn mt-2" onClick={onClear}>
          Clear the filter
        </button>
      </div>
    );
  }
  return (
    <div className="card empty">
      <span className="mb-1 flex gap-2">
        {[1, 2, 3, 4, 5].map((each) => (
          <Mark key={each} look="notYet" />
        ))}
      </span>
      <h2>No schedules yet</h2>
      <p>A schedule says what should run, when, and what if. Every time it names will get a verdict here.</p>
      <Go to={links.place('schedules/new')} className="btn primary my-2">
        New schedule
      </Go>
      <div className="w-full max-w-110">
        <Command text="carillon schedule create hello --every 1m --url https://example.com/hook" />
      </div>
    </div>
  );
}
