import { useQuery } from '@tanstack/react-query';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Command } from '../parts/Copy.tsx';
import { Go } from '../parts/Go.tsx';
import { countText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import { readFilter } from './filter.ts';
import { nearestOf } from './near.ts';

interface NothingFoundProps {
  readonly q: string;
  readonly total: number;
  readonly onClear: () => void;
  /** Looks for something else instead. */
  readonly onPick?: (q: string) => void;
}

/** Nothing there yet, or nothing that matches. */
export function NothingFound({ q, total, onClear, onPick = () => {} }: NothingFoundProps) {
  const links = useLinks();
  if (q !== '') {
    return (
      <div className="card empty">
        <h2>{total === 0 ? 'No schedule matches' : `None of ${countText(total)} schedules match`}</h2>
        <p>“{q}” is in no name, tag, handler or note, or no schedule is in that state.</p>
        <NearMiss q={q} onPick={onPick} />
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
      <span className="my-2 flex flex-wrap justify-center gap-2">
        <Go to={links.place('schedules/new')} className="btn primary">
          New schedule
        </Go>
        <Go to={links.place('playground')} className="btn">
          Try a cron text
        </Go>
      </span>
      <div className="w-full max-w-110">
        <Command text="carillon schedule create hello --every 1m --url https://example.com/hook" />
      </div>
    </div>
  );
}

/** Names that begin alike, among which a mistyped word is looked for. */
const mostNames = 200;

function NearMiss({ q, onPick }: Required<Pick<NothingFoundProps, 'q' | 'onPick'>>) {
  const scope = useScope();
  const word = readFilter(q).filters.text ?? '';
  const names = useQuery({
    queryKey: [scope.namespace, 'near', word.slice(0, 2)],
    queryFn: async ({ signal }) => {
      const page = { sort: 'id', text: word.slice(0, 2), limit: mostNames } as const;
      return (await scope.api.insight.schedules(page, { signal })).items.map(({ id }) => id);
    },
    enabled: word.length >= 3,
  }).data;
  const near = names === undefined ? undefined : nearestOf(word, names);
  if (near === undefined) return null;
  return (
    <p>
      Did you mean{' '}
      <button type="button" className="link" onClick={() => onPick(q.replace(word, near))}>
        {near}
      </button>
      ?
    </p>
  );
}
