import { useQuery } from '@tanstack/react-query';
import type { ScheduleJson } from 'carillon/client';
import { zoneOfSpec } from 'carillon/spec';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { useZoneOf } from '../time/choice.ts';
import { clockText, countText, lengthText, plural, sinceText, whenText } from '../time/text.ts';
import { dayMs, minuteMs, viewerZone } from '../time/zone.ts';
import { totalOf, wordsOf } from '../timeline/bins.ts';
import { binsOf, slotsOf } from '../timeline/from-answers.ts';
import { Mark } from '../verdict/Mark.tsx';
import { looks, wordOfRun } from '../verdict/verdict.ts';
import { binsQuery, timelineQuery } from './queries.ts';
import { countsOfBins, countsOfSlots, latenessOf, quantile, resultText } from './stats.ts';

interface StatsProps {
  readonly schedule: ScheduleJson;
  /** The usual distance of two slots. */
  readonly step: number;
  readonly now: number;
}

/** The most slots that are read one by one. */
const mostSlots = 1500;

/** Five answers at a glance: next, now, the last day, lateness, the last result. */
export function Stats({ schedule, step, now }: StatsProps) {
  const scope = useScope();
  const links = useLinks();
  const zone = useZoneOf(zoneOfSpec(schedule.spec), schedule.spec.zoneData);
  const to = Math.ceil(now / (10 * minuteMs)) * 10 * minuteMs;
  // The server counts the day of a dense schedule, and the lateness shown is that of the latest starts.
  const span = Math.min(dayMs, mostSlots * step);
  const isDense = span < dayMs;
  const end = isDense ? Math.ceil(now / minuteMs) * minuteMs : to;
  const day = useQuery(timelineQuery(scope, schedule.id, { from: end - span, to: end })).data;
  const bins = useQuery({
    ...binsQuery(scope, schedule.id, { from: to - dayMs, to }, '15m'),
    enabled: isDense,
  }).data;
  const slots = day === undefined ? [] : slotsOf(day).filter(({ at }) => at <= now && at > now - span);
  const counts = isDense ? countsOfBins(bins === undefined ? [] : binsOf(bins)) : countsOfSlots(slots);
  const late = latenessOf(slots);
  const next = schedule.next === null ? null : Date.parse(schedule.next);
  const resumes = schedule.paused?.until == null ? null : Date.parse(schedule.paused.until);
  const [going] = schedule.running;
  const last = schedule.recent[0];
  const took =
    last === undefined || last.startedAt === null || last.finishedAt === null
      ? null
      : Date.parse(last.finishedAt) - Date.parse(last.startedAt);
  return (
    <dl className="stats">
      <div>
        <dt className="label">Next</dt>
        <dd className="big">
          {next === null ? nothingNext(schedule.status) : next <= now ? 'now' : sinceText(next, now)}
        </dd>
        {next !== null && (
          <dd className="micro">
            {whenText(zone, next, now)}
            {zone === viewerZone ? '' : ` · ${clockText(viewerZone, next)} for you`}
          </dd>
        )}
        {resumes !== null && <dd className="micro">resumes by itself {whenText(zone, resumes, now)}</dd>}
      </div>
      <div>
        <dt className="label">Now running</dt>
        {going === undefined ? (
          <>
            <dd className="big t3">nothing</dd>
            <dd className="micro">
              {day?.p50Ms == null ? 'no run measured yet' : `usually ${lengthText(day.p50Ms)} when it runs`}
            </dd>
          </>
        ) : (
          <>
            <dd className="big">
              {going.startedAt === null
                ? 'waits for a worker'
                : lengthText(now - Date.parse(going.startedAt))}
            </dd>
            <dd className="micro">
              {day?.p50Ms == null ? '' : `usually ${lengthText(day.p50Ms)} · `}
              <Go className="link" to={links.run(going.runId ?? '')}>
                see the run
              </Go>
              {schedule.running.length > 1 && ` and ${schedule.running.length - 1} more`}
            </dd>
          </>
        )}
      </div>
      <div>
        <dt className="label">Last 24 hours: {plural(totalOf({ counts }), 'slot')}</dt>
        <dd className="big flex flex-wrap gap-x-3 text-say">
          {wordsOf({ counts }).map(({ look, count }) => (
            <span key={look} className={`word f-${looks[look].family}`} title={looks[look].word}>
              <Mark look={look} label={looks[look].word} />
              {countText(count)}
            </span>
          ))}
          {totalOf({ counts }) === 0 && <span className="t3">none</span>}
        </dd>
      </div>
      <div>
        <dt className="label">Started late</dt>
        {late.length === 0 ? (
          <dd className="big t3">no start in {isDense ? lengthText(span) : '24 hours'}</dd>
        ) : (
          <>
            <dd className="big">
              <span className="whitespace-nowrap">p50 {lengthText(quantile(late, 0.5))} ·</span>{' '}
              <span className="whitespace-nowrap">p99 {lengthText(quantile(late, 0.99))}</span>
            </dd>
            <dd className="micro">
              of {plural(late.length, 'start')} in {isDense ? lengthText(span) : '24 hours'}
              {slots.some(({ due }) => due !== undefined) && ', beyond its jitter'}
            </dd>
          </>
        )}
      </div>
      <div>
        <dt className="label">Last result</dt>
        {last === undefined ? (
          <dd className="big t3">none yet</dd>
        ) : (
          <>
            <dd className="big truncate">
              {last.outcome === 'completed'
                ? resultText(schedule.lastResult)
                : wordOfRun({ state: 'done', outcome: last.outcome })}
            </dd>
            <dd className="micro">
              <Go className="link" to={links.run(last.runId ?? '')}>
                run
              </Go>
              {last.finishedAt === null ? '' : `, ${sinceText(Date.parse(last.finishedAt), now)}`}
              {took === null ? '' : `, took ${lengthText(took)}`}
            </dd>
          </>
        )}
      </div>
    </dl>
  );
}

function nothingNext(status: string): string {
  return status === 'paused' ? 'not while paused' : 'no more times';
}
