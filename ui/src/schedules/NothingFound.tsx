import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { NearMiss } from '../near/NearMiss.tsx';
import { Command } from '../parts/Copy.tsx';
import { Go } from '../parts/Go.tsx';
import { countText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';

interface NothingFoundProps {
  readonly q: string;
  readonly total: number;
  readonly onClear: () => void;
  /** Called with the query to search for instead. */
  readonly onPick?: (q: string) => void;
}

/** Shown when there are no schedules, or none that match. */
export function NothingFound({ q, total, onClear, onPick = () => {} }: NothingFoundProps) {
  if (q !== '') {
    return (
      <div className="card empty">
        <h2>{total === 0 ? 'No schedule matches' : `None of ${countText(total)} schedules match`}</h2>
        <p>
          “{q}” is in no name, tag, owner, handler, note, cron text or zone, or no schedule is in that state.
          <NearMiss q={q} onPick={onPick} />
        </p>
        <button type="button" className="btn mt-2" onClick={onClear}>
          Clear the filter
        </button>
      </div>
    );
  }
  return <NothingYet />;
}

/** Shown at the first use of a namespace. The name of a namespace that was not created may be mistyped. */
function NothingYet() {
  const { api, namespace } = useScope();
  const links = useLinks();
  const mayChange = useMayChange();
  const known = useQuery({
    queryKey: [namespace, 'namespaces'],
    queryFn: async ({ signal }) => await api.settings.namespaces({ signal }),
    staleTime: 300_000,
  }).data?.map(({ name }) => name);
  const isNew = known !== undefined && !known.includes(namespace);
  return (
    <div className="card empty">
      <span className="mb-1 flex gap-2">
        {[1, 2, 3, 4, 5].map((each) => (
          <Mark key={each} look="notYet" />
        ))}
      </span>
      <h2>{isNew ? `Nothing is in the namespace ${namespace}` : 'No schedules yet'}</h2>
      {isNew && (
        <p>
          It was not created. There {known.length === 1 ? 'is' : 'are'}{' '}
          {known.slice(0, 5).map((name, place) => (
            <Fragment key={name}>
              {place === 0 ? '' : ', '}
              <Go className="link" to={`/${encodeURIComponent(name)}/`}>
                {name}
              </Go>
            </Fragment>
          ))}
          .
        </p>
      )}
      <p>A schedule says what should run, when, and what if. Every time it names will get a verdict here.</p>
      <span className="my-2 flex flex-wrap justify-center gap-2">
        {mayChange && (
          <Go to={links.place('schedules/new')} className="btn primary">
            New schedule
          </Go>
        )}
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
