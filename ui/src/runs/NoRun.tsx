/** Shown for the address of a run that does not exist: possible reasons, runs with a similar id, and other places to look. */
import type { FormEvent } from 'react';
import { useLinks } from '../app/links.ts';
import { troubleOf } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { goTo } from '../route/address.ts';
import { shortRunId } from './run-id.ts';

interface NoRunProps {
  readonly id: string;
  readonly error: unknown;
}

export function NoRun({ id, error }: NoRunProps) {
  const links = useLinks();
  const { meant } = troubleOf(error);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get('run') ?? '').trim();
    if (wanted !== '') goTo(links.run(wanted));
  };
  return (
    <div className="empty" role="alert">
      <h2>{meant.length > 0 ? 'Several runs begin like this' : 'There is no such run'}</h2>
      {meant.length > 0 ? (
        <ul className="grid gap-1">
          {meant.map((each) => (
            <li key={each}>
              <Go className="link mono" to={links.run(each)} title={each}>
                {shortRunId(each)}
              </Go>
            </li>
          ))}
        </ul>
      ) : (
        <p>
          No run of this namespace is called <code className="break-all">{id}</code>, and none begins like
          that. It may be mistyped, belong to another namespace, or be so old that retention has removed it.
        </p>
      )}
      <form className="mt-2 flex flex-wrap justify-center gap-2" onSubmit={find}>
        <input
          className="input w-60!"
          name="run"
          aria-label="Id of a run, or its beginning"
          placeholder="Id of a run, or its beginning"
          defaultValue={id}
          spellCheck={false}
        />
        <button type="submit" className="btn">
          Find
        </button>
        <Go className="btn" to={links.place('runs')}>
          To all runs
        </Go>
      </form>
    </div>
  );
}
