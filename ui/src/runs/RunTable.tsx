import { useQuery } from '@tanstack/react-query';
import type { RunJson } from 'carillon/client';
import { useMemo } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { Table } from '../parts/Table.tsx';
import { fullText, lengthText, sinceText, whenText } from '../time/text.ts';
import { withLengths } from '../time/with-lengths.ts';
import { Word } from '../verdict/Mark.tsx';
import { isStoppedByRule, shortWordOfRun } from '../verdict/verdict.ts';
import { conductorStateOf } from './conductor-state.ts';
import { headlineOf } from './failure-text.ts';
import { schedulesOfQuery } from './queries.ts';
import type { Order } from './run-filters.ts';
import { shortRunId } from './run-id.ts';
import { lateText, runRowOf } from './run-row.ts';
import { factsOf } from './schedule-facts.ts';
import { Took } from './Took.tsx';
import { usualOf } from './usual.ts';

interface RunTableProps {
  readonly runs: readonly RunJson[];
  readonly now: number;
  /** The zone in which times of a run are shown, by that of its schedule; undefined when it has none or it is not known yet. */
  readonly zoneOf: (ofSchedule: string | undefined) => string;
  /** The runs from which the usual duration of each schedule is computed. Default: those of the table. */
  readonly measured?: readonly RunJson[];
  /** The order of the runs, the latest first. Default `start`. */
  readonly by?: Order;
  /** Whether all runs belong to one schedule, whose name is then left out. */
  readonly isOfOne?: boolean;
  /** Whether to show the state of each run at the Conductor door. */
  readonly isOfConductor?: boolean;
}

/** The columns. Narrow tables leave out some, and `Brief` shows their values in one line. */
function columnsOf(isOfOne: boolean, by: Order) {
  return [
    'Result',
    ...(isOfOne ? [] : ['Schedule']),
    { text: 'Slot', className: isOfOne ? '' : 'r-time', isSorted: by === 'slot' },
    { text: 'Started', className: 'r-time', isSorted: by === 'start' },
    { text: 'Took', className: 'r-time' },
    { text: 'Attempts', className: 'num r-attempts' },
    { text: 'Worker', className: 'r-worker' },
    { text: 'Run', className: 'r-run' },
  ];
}

export function RunTable({
  runs,
  now,
  zoneOf,
  measured = runs,
  by = 'start',
  isOfOne = false,
  isOfConductor = false,
}: RunTableProps) {
  const links = useLinks();
  const { data: schedules } = useQuery(schedulesOfQuery(useScope(), runs));
  const facts = useMemo(() => (schedules === undefined ? undefined : factsOf(schedules)), [schedules]);
  const local = useMemo(() => usualOf(measured), [measured]);
  const usual = (run: RunJson) => {
    if (run.schedule === null) return local(run);
    const known = facts?.get(run.schedule);
    return facts !== undefined && known === undefined ? local(run) : known?.usual;
  };
  const hasBars = runs.some((run) => usual(run) !== undefined);
  return (
    <Table name="Runs" head={columnsOf(isOfOne, by)} className={isOfOne ? 'runs one' : 'runs'}>
      {runs.map((run) => {
        const row = runRowOf(run, now);
        const zone = zoneOf(facts?.get(run.schedule ?? '')?.zone);
        const reason = reasonOf(run);
        return (
          <tr key={run.id}>
            <td>
              <Word look={row.look} text={shortWordOfRun(run)} />
              {isOfConductor && <span className="tag ml-2">{conductorStateOf(run)}</span>}
              {reason !== undefined && (
                <span className="r-time">
                  <bdi className="micro block max-w-40 truncate" title={reason}>
                    {reason}
                  </bdi>
                </span>
              )}
            </td>
            {!isOfOne && (
              <td>
                {run.schedule === null ? (
                  <code>{run.name}</code>
                ) : (
                  <Go className="r-name font-medium hover:underline" to={links.schedule(run.schedule)}>
                    {run.schedule}
                  </Go>
                )}
                <Brief run={run} zone={zone} now={now} by={by} withSlot />
              </td>
            )}
            <td className={isOfOne ? '' : 'r-time'}>
              {run.scheduledAt === null ? (
                <span className="t3 whitespace-nowrap">no slot</span>
              ) : (
                <span className="whitespace-nowrap" title={fullText(zone, Date.parse(run.scheduledAt))}>
                  {whenText(zone, Date.parse(run.scheduledAt), now)}
                </span>
              )}
              {row.byHand !== null && (
                <span className="r-time">
                  <span className="tag mt-0.5 block w-fit">{row.byHand}</span>
                </span>
              )}
              {isOfOne && <Brief run={run} zone={zone} now={now} by={by} />}
            </td>
            <td className="r-time whitespace-nowrap">
              {run.startedAt === null ? (
                <span className="t3">{run.state === 'done' ? 'never began' : 'not yet'}</span>
              ) : (
                <span title={fullText(zone, Date.parse(run.startedAt))}>
                  {sinceText(Date.parse(run.startedAt), now)}{' '}
                  <span
                    className={row.lateMs !== null && row.lateMs > 15_000 ? 'text-policy-t' : 't3'}
                    title={row.jitterMs === 0 ? undefined : `with ${lengthText(row.jitterMs)} of jitter`}
                  >
                    {lateText({ ...row, jitterMs: 0 })}
                  </span>
                </span>
              )}
            </td>
            <td className="r-time">
              {row.tookMs !== null && (
                <Took ms={row.tookMs} usual={usual(run)} look={row.look} hasBar={hasBars} />
              )}
            </td>
            <td className="num r-attempts">
              {run.attempt > 1 ? <b className="font-semibold">{run.attempt}</b> : run.attempt}
            </td>
            <td className="t2 r-worker">
              <span className="block max-w-28 truncate" title={run.worker === '' ? undefined : run.worker}>
                {run.worker === '' ? '' : run.worker.split('/')[0]}
              </span>
            </td>
            <td className="r-run">
              <Go className="link mono whitespace-nowrap" to={links.run(run.id)} title={run.id}>
                {shortRunId(run.id)}
              </Go>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

/** Why it failed, or was stopped. */
function reasonOf(run: RunJson): string | undefined {
  if (isStoppedByRule(run)) return 'by its overlap rule';
  return run.failure == null ? undefined : withLengths(headlineOf(run.failure.message));
}

interface BriefProps {
  readonly run: RunJson;
  readonly zone: string;
  readonly now: number;
  readonly by: Order;
  /** Whether to show the slot, which then has no column. */
  readonly withSlot?: boolean;
}

/** One line with the values of the columns that a narrow table leaves out; it begins with the time of the order. */
function Brief({ run, zone, now, by, withSlot = false }: BriefProps) {
  const links = useLinks();
  const row = runRowOf(run, now);
  const { tookMs, lateMs, byHand } = row;
  const reason = reasonOf(run);
  const parts = [
    ...(by === 'start' && run.startedAt !== null ? [sinceText(Date.parse(run.startedAt), now)] : []),
    ...(by === 'slot' && withSlot && run.scheduledAt !== null
      ? [whenText(zone, Date.parse(run.scheduledAt), now)]
      : []),
    ...(byHand === null ? [] : [byHand]),
    ...(tookMs === null ? [] : [`${run.state === 'done' ? 'took' : 'for'} ${lengthText(tookMs)}`]),
    ...(lateMs !== null && lateMs >= 1000 ? [lateText(row)] : []),
  ];
  return (
    <span className="micro r-brief">
      {parts.join(' · ')}
      {reason !== undefined && <bdi className="line-clamp-2 break-words">{reason}</bdi>}
      <Go className="r-id link mono w-fit py-1" to={links.run(run.id)}>
        {shortRunId(run.id)}
      </Go>
    </span>
  );
}
