import type { RunJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { lengthText, sinceText, whenText } from '../time/text.ts';
import { Word } from '../verdict/Mark.tsx';
import { wordOfRun } from '../verdict/verdict.ts';
import { conductorStateOf } from './conductor-state.ts';
import { shortRunId } from './run-id.ts';
import { lateText, runRowOf } from './run-row.ts';

interface RunTableProps {
  readonly runs: readonly RunJson[];
  readonly now: number;
  readonly zoneOf: (run: RunJson) => string;
  /** All runs are of one schedule, which is not named again. */
  readonly isOfOne?: boolean;
  /** Adds what the Conductor door says of each run. */
  readonly isOfConductor?: boolean;
}

export function RunTable({ runs, now, zoneOf, isOfOne = false, isOfConductor = false }: RunTableProps) {
  const links = useLinks();
  const longest = Math.max(1, ...runs.map((run) => runRowOf(run, now).tookMs ?? 0));
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label="Table">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Result</th>
            {!isOfOne && <th scope="col">Schedule</th>}
            <th scope="col">Slot</th>
            <th scope="col">Started</th>
            <th scope="col">Took</th>
            <th scope="col" className="num roomy">
              Attempts
            </th>
            <th scope="col" className="roomy">
              Worker
            </th>
            <th scope="col">Run</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const row = runRowOf(run, now);
            const zone = zoneOf(run);
            return (
              <tr key={run.id}>
                <td>
                  <Word look={row.look} text={wordOfRun(run)} />
                  {isOfConductor && <span className="tag ml-2">{conductorStateOf(run)}</span>}
                </td>
                {!isOfOne && (
                  <td>
                    {run.schedule === null ? (
                      <code>{run.name}</code>
                    ) : (
                      <Go className="font-medium hover:underline" to={links.schedule(run.schedule)}>
                        {run.schedule}
                      </Go>
                    )}
                  </td>
                )}
                <td className="whitespace-nowrap">
                  {run.scheduledAt === null ? (
                    <span className="t3">no slot</span>
                  ) : (
                    whenText(zone, Date.parse(run.scheduledAt), now)
                  )}
                  {row.byHand !== null && <span className="tag ml-2">{row.byHand}</span>}
                </td>
                <td className="whitespace-nowrap">
                  {run.startedAt === null ? (
                    <span className="t3">not yet</span>
                  ) : (
                    <>
                      {sinceText(Date.parse(run.startedAt), now)}{' '}
                      <span className={row.lateMs !== null && row.lateMs > 15_000 ? 'text-policy-t' : 't3'}>
                        {lateText(row.lateMs)}
                      </span>
                    </>
                  )}
                </td>
                <td className="min-w-28">
                  {row.tookMs !== null && (
                    <span className="flex items-center gap-2">
                      <span
                        className="h-1.5 rounded-full bg-line-2"
                        style={{ width: `${Math.max(2, (60 * row.tookMs) / longest)}px` }}
                      />
                      <span className="whitespace-nowrap">{lengthText(row.tookMs)}</span>
                    </span>
                  )}
                </td>
                <td className="num roomy">{run.attempt}</td>
                <td className="t2 roomy">{run.worker === '' ? '' : run.worker.split('/')[0]}</td>
                <td>
                  <Go className="link mono" to={links.run(run.id)}>
                    {shortRunId(run.id)}
                  </Go>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
