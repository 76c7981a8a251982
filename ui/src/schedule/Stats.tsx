import { useQuery } from '@tanstack/react-query';
import type { ScheduleJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { useZoneOf } from '../time/choice.ts';
import { clockText, lengthText, plural, sinceText, whenText } from '../time/text.ts';
import { dayMs, minuteMs, viewerZone } from '../time/zone.ts';
import { totalOf, wordsOf } from '../timeline/bins.ts';
import { slotsOf } from '../timeline/from-answers.ts';
import { Mark } from '../verdict/Mark.tsx';
import type { Look } from '../verdict/verdict.ts';
import { looks, wordOfRun } from '../verdict/verdict.ts';
import { timelineQuery } from './queries.ts';

interface StatsProps {
  readonly schedule: ScheduleJson;
  readonly now: number;
}

/** Five answers at a glance: next, now, the last day, lateness, the last result. */
export function Stats({ schedule, now }: StatsProps) {
  const scope = useScope();
  const links = useLinks();
  const zone = useZoneOf(schedule.spec.zone ?? 'UTC');
  const to = Math.ceil(now / (10 * minuteMs)) * 10 * minuteMs;
  const day = useQuery(timelineQuery(scope, schedule.id, { from: to - dayMs, to })).data;
  const slots = day === undefined ? [] : slotsOf(day).filter(({ at }) => at <= now && at > now - dayMs);
  const counts: Partial<Record<Look, number>> = {};
  for (const { look } of slots) counts[look] = (counts[look] ?? 0) + 1;
  const late = slots
    .flatMap(({ run, at, byHand }) => (run === undefined || byHand !== undefined ? [] : [run.start - at]))
    .sort((a, b) => a - b);
  const next = schedule.next === null ? null : Date.parse(schedule.next);
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
              {count}
            </span>
          ))}
          {slots.length === 0 && <span className="t3">none</span>}
        </dd>
      </div>
      <div>
        <dt className="label">Started late</dt>
        <dd className="big">
          {late.length === 0
            ? 'no start yet'
            : `p50 ${lengthText(quantile(late, 0.5))} · p99 ${lengthText(quantile(late, 0.99))}`}
        </dd>
        <dd className="micro">of {plural(late.length, 'start')} in 24 hours</dd>
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

function quantile(sorted: readonly number[], share: number): number {
  return Math.max(0, sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0);
}

/** A result in a few words: `660 invoices` for `{ invoices: 660 }`. */
function resultText(result: unknown): string {
  if (result === null || result === undefined) return 'completed';
  if (typeof result !== 'object') return String(result);
  const [first] = Object.entries(result);
  if (first === undefined) return 'completed';
  const [name, value] = first;
  return typeof value === 'number' ? `${value} ${name}` : typeof value === 'string' ? value : 'completed';
}
