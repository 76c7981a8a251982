import type { RunJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { Table } from '../parts/Table.tsx';
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

/** Narrow tables leave out what `Brief` then says in one line. */
function columnsOf(isOfOne: boolean) {
  return [
    'Result',
    ...(isOfOne ? [] : ['Schedule']),
    { text: 'Slot', className: isOfOne ? '' : 'medium' },
    { text: 'Started', className: 'medium' },
    { text: 'Took', className: 'medium' },
    { text: 'Attempts', className: 'num roomy' },
    { text: 'Worker', className: 'roomy' },
    'Run',
  ];
}

export function RunTable({ runs, now, zoneOf, isOfOne = false, isOfConductor = false }: RunTableProps) {
  const links = useLinks();
  const longest = Math.max(1, ...runs.map((run) => runRowOf(run, now).tookMs ?? 0));
  return (
    <Table head={columnsOf(isOfOne)}>
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
                <Brief run={run} zone={zone} now={now} withSlot />
              </td>
            )}
            <td className={`whitespace-nowrap ${isOfOne ? '' : 'medium'}`}>
              {run.scheduledAt === null ? (
                <span className="t3">no slot</span>
              ) : (
                whenText(zone, Date.parse(run.scheduledAt), now)
              )}
              {row.byHand !== null && <span className="tag ml-2">{row.byHand}</span>}
              {isOfOne && <Brief run={run} zone={zone} now={now} />}
            </td>
            <td className="medium whitespace-nowrap">
              {run.startedAt === null ? (
                <span className="t3">{run.state === 'done' ? 'never began' : 'not yet'}</span>
              ) : (
                <>
                  {sinceText(Date.parse(run.startedAt), now)}{' '}
                  <span className={row.lateMs !== null && row.lateMs > 15_000 ? 'text-policy-t' : 't3'}>
                    {lateText(row.lateMs)}
                  </span>
                </>
              )}
            </td>
            <td className="medium min-w-28">
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
    </Table>
  );
}

interface BriefProps {
  readonly run: RunJson;
  readonly zone: string;
  readonly now: number;
  readonly withSlot?: boolean;
}

/** What the columns say that a narrow table has no room for. */
function Brief({ run, zone, now, withSlot = false }: BriefProps) {
  const { tookMs, lateMs } = runRowOf(run, now);
  const parts = [
    ...(withSlot && run.scheduledAt !== null ? [whenText(zone, Date.parse(run.scheduledAt), now)] : []),
    ...(tookMs === null ? [] : [`took ${lengthText(tookMs)}`]),
    ...(lateMs !== null && lateMs >= 1000 ? [lateText(lateMs)] : []),
  ];
  return <span className="micro brief">{parts.join(' · ')}</span>;
}
