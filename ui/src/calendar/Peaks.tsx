/** The moments at which most schedules start together, with these schedules. */
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { countText } from '../time/text.ts';
import type { Peak } from './peaks.ts';

interface PeaksProps {
  /** Undefined while they are counted. */
  readonly peaks: readonly Peak[] | undefined;
  /** The range in words, such as `this week`. */
  readonly when: string;
}

export function Peaks({ peaks, when }: PeaksProps) {
  const links = useLinks();
  const most = Math.max(1, ...(peaks ?? []).map(({ starts }) => starts));
  return (
    <section className="card" aria-labelledby="peaks">
      <header>
        <h2 id="peaks">Peaks</h2>
        <span className="t3">starts at one moment, {when}</span>
      </header>
      <ol className="body grid gap-3">
        {peaks?.map(({ text, at, starts, schedules }) => (
          <li key={`${text} ${at}`}>
            <span className="flex justify-between gap-2">
              <b className="font-semibold">{text}</b>
              <span className="whitespace-nowrap">
                <b className="font-semibold">{countText(starts)}</b> <span className="t3">at once</span>
              </span>
            </span>
            <span className="my-1 block h-1 rounded-full bg-sunken">
              <span
                className="block h-1 rounded-full bg-busy"
                style={{ width: `${(100 * starts) / most}%` }}
              />
            </span>
            <span className="micro block leading-6!">
              <Names ids={schedules} count={starts} to={links.schedule} />
            </span>
          </li>
        ))}
        {peaks?.length === 0 && <li className="t3">No two schedules start together.</li>}
      </ol>
    </section>
  );
}

interface NamesProps {
  readonly ids: readonly string[];
  /** How many there are in all. */
  readonly count: number;
  readonly to: (id: string) => string;
}

/** Some names, and how many more there are. */
export function Names({ ids, count, to }: NamesProps) {
  return (
    <>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Go className="link" to={to(id)}>
            {id}
          </Go>
        </span>
      ))}
      {count > ids.length && ids.length > 0 && ` and ${countText(count - ids.length)} more`}
    </>
  );
}
