/**
 * The state of all schedules: one sentence with their exact number, the schedules that need a person, and every slot of
 * the range.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { HostSummaryJson } from 'carillon/client';
import type { ReactNode } from 'react';
import { useCallback } from 'react';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { nodesQuery } from '../data/queries.ts';
import { useMayChange } from '../data/role.ts';
import { attentionText } from '../hosts/attention-text.ts';
import { askingQuery } from '../hosts/query.ts';
import { useLive } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Nodes } from '../parts/Nodes.tsx';
import { Seg } from '../parts/Seg.tsx';
import { SkeletonBox, SkeletonRows } from '../parts/Skeleton.tsx';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { runQuery } from '../runs/queries.ts';
import { Nothing } from '../schedules/Nothing.tsx';
import { countsQuery } from '../schedules/query.ts';
import { Strip } from '../strip/Strip.tsx';
import { usePageZone } from '../time/choice.ts';
import { useMinute } from '../time/now.ts';
import { clockText, countText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { minuteMs, zoneLetters } from '../time/zone.ts';
import { totalOf, wordsOf } from '../timeline/bins.ts';
import { countsOf } from '../timeline/from-answers.ts';
import { Mark, Word } from '../verdict/Mark.tsx';
import { Coming } from './Coming.tsx';
import { Lateness } from './Lateness.tsx';
import type { Need, Pauses } from './needs.ts';
import { evidenceOf, justLook, ledeOf, mostNeeds, needsOf, pausesOf } from './needs.ts';
import type { RangeName } from './queries.ts';
import { comingQuery, needsQuery, ranges, seriesQuery, silencesQuery } from './queries.ts';
import { SlotChart } from './SlotChart.tsx';

/** Workflows that have a line each; more would leave no room for schedules. */
const mostHosts = 3;

const noNeeds = { groups: [], rest: { schedules: 0 } };

export function Overview() {
  const scope = useScope();
  const links = useLinks();
  const minute = useMinute();
  const zone = usePageZone();
  const client = useQueryClient();
  const { range: asked = '24h' } = useSearch();
  const range: RangeName = ranges.find(({ name }) => name === asked)?.name ?? '24h';
  const counts = useQuery(countsQuery(scope));
  const needs = useQuery(needsQuery(scope));
  const series = useQuery(seriesQuery(scope, range, minute));
  const coming = useQuery(comingQuery(scope, minute));
  const nodes = useQuery(nodesQuery(scope));
  const silences = useQuery(silencesQuery(scope)).data ?? [];
  const askers = useQuery(askingQuery(scope));
  const asking = askers.data ?? [];
  useLive(
    useCallback(() => {
      for (const name of ['counts', 'needs']) {
        void client.invalidateQueries(
          { queryKey: [scope.namespace, name], stale: true },
          { cancelRefetch: false },
        );
      }
    }, [client, scope.namespace]),
  );
  const hosts = asking.slice(0, mostHosts);
  const { needs: found, left } = needsOf(needs.data ?? noNeeds, mostNeeds - hosts.length);
  const pauses = needs.data === undefined ? undefined : pausesOf(needs.data);
  const total = counts.data?.total ?? 0;
  const needy = counts.data?.attention ?? 0;
  const lede = ledeOf(total, needy, asking.length);
  const all =
    series.data === undefined ? {} : countsOf(series.data.total.verdicts, series.data.total.outcomes);
  // Workflows on hosts need a person also where there is no schedule.
  if (counts.data !== undefined && total === 0 && !askers.isPending && asking.length === 0) {
    return (
      <Screen crumbs={[{ text: 'Overview' }]} title="Overview">
        <Nothing q="" total={0} onClear={() => {}} />
      </Screen>
    );
  }
  return (
    <Screen
      crumbs={[{ text: 'Overview' }]}
      title={
        <h1>
          {counts.data === undefined ? 'Overview' : lede.well}{' '}
          <span className="font-medium text-text-3">{lede.rest}</span>
        </h1>
      }
    >
      <div className="stack">
        <section className="card" aria-labelledby="needs">
          <header>
            <h2 id="needs">Needs you</h2>
            <span className="t3">{found.length + asking.length === 0 ? '' : 'worst first'}</span>
            <span className="flex-1" />
            <Go className="text-link" to={`${links.place('schedules')}?q=is:attention`}>
              Open as a list
            </Go>
          </header>
          {needs.data === undefined ? (
            needs.error === null ? (
              <SkeletonRows rows={3} height={56} />
            ) : (
              <Failed what="What needs you" error={needs.error} onRetry={() => void needs.refetch()} />
            )
          ) : (
            <>
              {found.length + asking.length === 0 && (
                <div className="empty">
                  <Mark look="started" />
                  <h3>Nothing needs you</h3>
                  <p>
                    Every schedule does what it should. Looked at{' '}
                    {clockText(zone, Math.floor(needs.dataUpdatedAt / minuteMs) * minuteMs)}.
                  </p>
                </div>
              )}
              <ul className="needs">
                {hosts.map((host) => (
                  <AskingRow key={host.id} host={host} />
                ))}
                {asking.length > hosts.length && (
                  <MoreRow to={`${links.place('hosts')}?is=decide`}>
                    and {plural(asking.length - hosts.length, 'more workflow')}
                  </MoreRow>
                )}
                {found.map((need) => (
                  <NeedRow key={need.key} need={need} />
                ))}
                {left > 0 && (
                  <MoreRow to={`${links.place('schedules')}?q=is:attention`}>
                    and {plural(left, 'more schedule')}
                  </MoreRow>
                )}
                {pauses !== undefined && <PausesRow pauses={pauses} />}
              </ul>
            </>
          )}
        </section>
        <section className="card" aria-labelledby="every">
          <header className="flex-wrap">
            <h2 id="every">What became of every slot</h2>
            <span className="t3">
              {series.data === undefined
                ? ''
                : `${rangeWords[range]}, ${plural(totalOf({ counts: all }), 'slot')}, ${zoneWords(zone, minute)}`}
            </span>
            <span className="flex-1" />
            <Seg
              label="Range"
              options={ranges.map(({ name, text }) => ({ value: name, text }))}
              value={range}
              onChange={(next) => changeSearch({ range: next }, { replace: true })}
            />
          </header>
          <div className="body">
            {series.data === undefined ? (
              series.error === null ? (
                <SkeletonBox height={190} />
              ) : (
                <Failed what="The slots" error={series.error} onRetry={() => void series.refetch()} />
              )
            ) : (
              <>
                <SlotChart series={series.data} silences={silences} />
                <div className="legend mt-3">
                  {wordsOf({ counts: all }).map(({ look, count }) => (
                    <span key={look}>
                      <Word look={look} /> <b className="font-semibold">{countText(count)}</b>
                    </span>
                  ))}
                </div>
              </>
            )}
          </div>
        </section>
        <div className="cols-2 items-stretch!">
          <section className="card" aria-labelledby="late">
            <header>
              <h2 id="late">How late starts are</h2>
              <span className="flex-1" />
              {series.data !== undefined && series.data.total.latenessP50Ms !== null && (
                <span className="t2">
                  <LineSample className="text-ran" /> p50 <b>{lengthText(series.data.total.latenessP50Ms)}</b>{' '}
                  · <LineSample className="text-text-3" isDashed /> p99{' '}
                  <b>{lengthText(series.data.total.latenessP99Ms ?? 0)}</b>
                </span>
              )}
            </header>
            <div className="body">
              {series.data !== undefined ? (
                <Lateness series={series.data} />
              ) : series.error === null ? (
                <SkeletonBox height={120} />
              ) : (
                <Failed what="The lateness" error={series.error} onRetry={() => void series.refetch()} />
              )}
            </div>
          </section>
          <section className="card" aria-labelledby="coming">
            <header>
              <h2 id="coming">The next hour</h2>
              <span className="flex-1" />
              {coming.data !== undefined && (
                <span className="t2">
                  {plural(
                    coming.data.bins.reduce((sum, { starts }) => sum + starts, 0),
                    'start',
                  )}
                  {coming.data.peaks[0] === undefined
                    ? ''
                    : ` · at most ${countText(coming.data.peaks[0].starts)} in one second, at ${clockText(zone, Date.parse(coming.data.peaks[0].at))}`}
                </span>
              )}
            </header>
            <div className="body">
              {coming.data !== undefined ? (
                <Coming load={coming.data} />
              ) : coming.error === null ? (
                <SkeletonBox height={120} />
              ) : (
                <Failed what="The next hour" error={coming.error} onRetry={() => void coming.refetch()} />
              )}
            </div>
          </section>
        </div>
        <Incidents silences={silences} now={minute} />
        {nodes.data !== undefined ? (
          <Nodes nodes={nodes.data} />
        ) : (
          <section className="card" aria-labelledby="nodes">
            <header>
              <h2 id="nodes">Nodes</h2>
            </header>
            {nodes.error === null ? (
              <SkeletonRows rows={1} height={36} />
            ) : (
              <Failed what="The nodes" error={nodes.error} onRetry={() => void nodes.refetch()} />
            )}
          </section>
        )}
        <div className="max-w-140">
          <Command text="carillon schedule list --attention" />
        </div>
      </div>
    </Screen>
  );
}

const rangeWords: Readonly<Record<RangeName, string>> = {
  '6h': 'last 6 hours',
  '24h': 'last 24 hours',
  '7d': 'last 7 days',
  '30d': 'last 30 days',
};

/** Names the zone of the axes below, because slots of schedules in many zones are in them. */
function zoneWords(zone: string, at: number): string {
  return zone === 'UTC' ? 'in UTC' : `in your time (${zoneLetters(zone, at)})`;
}

/** A workflow that waits until a person decides. */
function AskingRow({ host }: { readonly host: HostSummaryJson }) {
  const links = useLinks();
  const to = `${links.place('hosts')}?is=decide`;
  return (
    <li>
      <Mark look="failed" />
      <span className="min-w-0">
        <Go className="font-semibold hover:underline" to={to}>
          {host.id}
        </Go>{' '}
        <span>stands still until a person decides</span>
        <span className="t2 block truncate text-second">{attentionText(host.attention ?? '')}</span>
      </span>
      <span />
      <Go className="btn justify-self-end" to={to}>
        Decide
      </Go>
    </li>
  );
}

/** One line for everything that has no line of its own. */
function MoreRow({ to, children }: { readonly to: string; readonly children: ReactNode }) {
  return (
    <li>
      <span />
      <span className="t2">{children}</span>
      <span />
      <Go className="btn justify-self-end" to={to}>
        See all
      </Go>
    </li>
  );
}

/** A pause is a person's own decision: it is shown and does not count as a problem. */
function PausesRow({ pauses: { title, text, word, query } }: { readonly pauses: Pauses }) {
  const links = useLinks();
  const to = `${links.place('schedules')}?q=${encodeURIComponent(query)}`;
  return (
    <li>
      <Mark look="paused" />
      <span className="min-w-0">
        <Go className="font-semibold hover:underline" to={to}>
          {title}
        </Go>{' '}
        <span>{text}</span>
        <span className="t2 block truncate text-second">{word}</span>
      </span>
      <span />
      <Go className="btn justify-self-end" to={to}>
        Look
      </Go>
    </li>
  );
}

/** A piece of a line of the chart below, beside the name of what it shows. */
function LineSample({
  className,
  isDashed = false,
}: {
  readonly className: string;
  readonly isDashed?: boolean;
}) {
  return (
    <svg viewBox="0 0 16 4" className={`mb-0.5 inline-block w-4 ${className}`} aria-hidden="true">
      <path
        d="M0 2H16"
        stroke="currentColor"
        strokeWidth="1.6"
        {...(isDashed && { strokeDasharray: '3 3' })}
      />
    </svg>
  );
}

interface IncidentsProps {
  readonly silences: readonly { readonly from: string; readonly to: string }[];
  readonly now: number;
}

/** Times without a living node: what was due then started late, was merged, or missed its window. */
function Incidents({ silences, now }: IncidentsProps) {
  const zone = usePageZone();
  if (silences.length === 0) return null;
  return (
    <section className="card" aria-labelledby="incidents">
      <header>
        <h2 id="incidents">Incidents</h2>
        <span className="t3">times without a living node</span>
      </header>
      <ul>
        {[...silences]
          .reverse()
          .slice(0, 5)
          .map(({ from, to }) => {
            const [begin, end] = [Date.parse(from), Date.parse(to)];
            return (
              <li key={from} className="flex gap-3 border-b border-line px-4 py-2 last:border-0">
                <span className="flex-1">
                  No node was alive for <b className="font-medium">{lengthText(end - begin)}</b>
                  <span className="t3">
                    {' '}
                    · {dayText(zone, begin)} {clockText(zone, begin)} to {clockText(zone, end)}
                  </span>
                </span>
                <span className="micro whitespace-nowrap">{sinceText(Math.min(end, now), now)}</span>
              </li>
            );
          })}
      </ul>
    </section>
  );
}

/** The cause where it is known, otherwise what the schedule is. A failure is described by the newest failed run. */
function Evidence({ need }: { readonly need: Need }) {
  const scope = useScope();
  const now = useMinute();
  const { look, schedules } = need;
  const [schedule] = schedules;
  const runId = schedule.strip?.slots.findLast(({ run }) => run?.state === 'done')?.run?.id;
  const asks = look === 'failed' && runId !== undefined;
  const failure = useQuery({ ...runQuery(scope, runId ?? ''), enabled: asks }).data?.failure;
  const known = evidenceOf(need, now);
  if (failure != null) {
    return (
      <>
        <code>
          {failure.type === undefined ? '' : `${failure.type}: `}
          {failure.message}
        </code>
        {known === '' ? '' : need.count === 1 ? `, ${known}` : ` · ${known}`}
      </>
    );
  }
  return known === '' ? `${schedule.words}${schedule.owner === '' ? '' : ` · ${schedule.owner}`}` : known;
}

function NeedRow({ need }: { readonly need: Need }) {
  const links = useLinks();
  const mayChange = useMayChange();
  const [schedule] = need.schedules;
  const isGroup = need.count > 1;
  // A policy is offered to people who may change it; others get a link to where it is shown.
  const action = need.action.to === 'edit' && !mayChange ? justLook : need.action;
  const last = schedule.strip?.slots.at(-1)?.at;
  const to =
    action.to === 'edit'
      ? `${links.edit(schedule.id)}?focus=overlap`
      : action.to === 'list'
        ? `${links.place('schedules')}?q=${encodeURIComponent(action.query ?? '')}`
        : links.schedule(schedule.id, action.to === 'why' && last !== undefined ? { at: last } : {});
  return (
    <li>
      <Mark look={need.look} />
      <span className="min-w-0">
        <Go className="font-semibold hover:underline" to={isGroup ? to : links.schedule(schedule.id)}>
          {need.title}
        </Go>{' '}
        <span>{need.text}</span>
        <span className="t2 block truncate text-second">
          <Evidence need={need} />
        </span>
      </span>
      {isGroup ? <span /> : <Strip strip={schedule.strip} />}
      <Go className="btn justify-self-end" to={to}>
        {action.text}
      </Go>
    </li>
  );
}
