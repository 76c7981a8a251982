/** One run: first why it failed, then its attempts, its failure with causes, its input and its result. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { RunJson, ScheduleJson } from 'carillon/client';
import { zoneOfSpec } from 'carillon/spec';
import { useCallback, useEffect, useState } from 'react';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { changedBy } from '../live/changed.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Menu, MenuItem } from '../parts/Menu.tsx';
import { Note } from '../parts/Note.tsx';
import { quoted } from '../parts/quoted.ts';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { sentence } from '../parts/sentence.ts';
import { goTo } from '../route/address.ts';
import { useParams } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { scheduleQuery } from '../schedule/queries.ts';
import { useZoneOf } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { clockText, dayText, lengthText, momentText, plural, sinceText, viewerText } from '../time/text.ts';
import { withLengths } from '../time/with-lengths.ts';
import { placeOf, viewerZone, zoneLetters } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf, wordOf, wordOfRun } from '../verdict/verdict.ts';
import { Attempts } from './Attempts.tsx';
import { attemptsOf } from './attempts.ts';
import { conductorStateOf, isOfConductor } from './conductor-state.ts';
import type { FailureLike } from './failure-text.ts';
import { behindText, failureText, headlineOf } from './failure-text.ts';
import { Log } from './Log.tsx';
import { NoRun } from './NoRun.tsx';
import { attemptsQuery, repeatsQuery, runQuery } from './queries.ts';
import type { RunVerb } from './RunAsk.tsx';
import { shortRunId } from './run-id.ts';
import { linksOfRun } from './run-links.ts';
import { causeText, lateText, runRowOf } from './run-row.ts';
import { stoppedWords } from './stopped.ts';

const RunAsk = lazyDialog(async () => (await import('./RunAsk.tsx')).RunAsk);

export function Run() {
  const { run: asked = '' } = useParams();
  const scope = useScope();
  const links = useLinks();
  const now = useNow();
  const mayChange = useMayChange();
  const client = useQueryClient();
  const { data: run, error, refetch } = useQuery(runQuery(scope, asked));
  // The address may have the short name only.
  const id = run?.id ?? asked;
  useEffect(() => {
    if (run === undefined || run.id === asked) return;
    client.setQueryData(runQuery(scope, run.id).queryKey, run);
    goTo(links.run(run.id), { replace: true });
  }, [run, asked, links, client, scope]);
  const schedule = useQuery({
    ...scheduleQuery(scope, run?.schedule ?? ''),
    enabled: run !== undefined && run.schedule !== null,
  }).data;
  const attempts =
    useQuery({ ...attemptsQuery(scope, id, run?.attempt ?? 0), enabled: run !== undefined }).data ?? [];
  const repeats = useQuery({ ...repeatsQuery(scope, id), enabled: run?.state === 'done' }).data?.items ?? [];
  const [verb, setVerb] = useState<RunVerb>();
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        if (changedBy(events).runs.has(id))
          void client.invalidateQueries({ queryKey: [scope.namespace, 'run', id] });
      },
      [client, scope, id],
    ),
  );
  const zone = useZoneOf(
    schedule === undefined ? viewerZone : zoneOfSpec(schedule.spec),
    schedule?.spec.zoneData,
  );
  const crumbs = [
    { text: 'Runs', to: links.place('runs') },
    { text: shortRunId(id), isMono: true },
  ];
  if (run === undefined) {
    return (
      <Screen crumbs={crumbs} title={`Run ${shortRunId(id)}`}>
        <div className="card">
          {error === null ? (
            <SkeletonBox height={200} />
          ) : troubleOf(error).isAbsent ? (
            <NoRun key={id} id={id} error={error} />
          ) : (
            <Failed
              what={`The run ${id}`}
              error={error}
              list={{ to: links.place('runs'), text: 'To all runs' }}
              onRetry={() => void refetch()}
            />
          )}
        </div>
      </Screen>
    );
  }
  // A workflow starts its runs itself; the actions of a person are on the workflow's card.
  const isOfHost = run.queue === 'hosts' && run.cause !== null && /^(producer|consumer)\//.test(run.cause);
  const row = runRowOf(run, now);
  const { look } = row;
  const stopped = stoppedWords(run, schedule);
  const slot = run.scheduledAt === null ? null : Date.parse(run.scheduledAt);
  const began = Date.parse(run.createdAt);
  return (
    <Screen
      crumbs={crumbs}
      title={
        <div className="flex flex-wrap items-center gap-2">
          <h1>
            Run <span className="font-mono text-[17px] font-medium">{shortRunId(id)}</span>
          </h1>
          <CopyButton text={id} label="Copy the id" />
          <span className={`pill f-${familyOf(look)}`}>
            <Mark look={look} />
            {look === 'untaken' ? wordOf(look) : wordOfRun(run)}
          </span>
          {schedule !== undefined && isOfConductor(schedule) && (
            <span className="tag">Conductor: {conductorStateOf(run)}</span>
          )}
        </div>
      }
      sub={
        <>
          {isOfHost ? (
            <>
              of the workflow{' '}
              <Go className="link" to={links.place('hosts')}>
                {run.workflowId}
              </Go>
            </>
          ) : run.schedule === null ? (
            <>
              of <code>{run.name}</code>, without a schedule
            </>
          ) : (
            <>
              of{' '}
              <Go className="link" to={links.schedule(run.schedule)}>
                {run.schedule}
              </Go>
              {slot !== null &&
                `, slot ${dayText(zone, slot)} ${clockText(zone, slot)} ${zoneLetters(zone, slot)}${zone === viewerZone ? '' : ` (${viewerText(zone, slot)} for you)`}`}
            </>
          )}
          . {plural(run.attempt, 'attempt')}
          {row.tookMs === null ? '' : ` in ${lengthText(row.tookMs)}`}, on queue <code>{run.queue}</code>.
        </>
      }
      acts={
        <>
          {mayChange && !isOfHost && run.state === 'done' && (
            <button type="button" className="btn primary" onClick={() => setVerb('again')}>
              <Icon name="again" />
              Run again…
            </button>
          )}
          {mayChange && !isOfHost && run.state !== 'done' && (
            <button type="button" className="btn primary" onClick={() => setVerb('cancel')}>
              <Icon name="close" />
              Cancel…
            </button>
          )}
          {run.schedule !== null && slot !== null && (
            <Go
              className="btn"
              to={links.schedule(run.schedule, { at: new Date(slot).toISOString().replace('.000', '') })}
            >
              <Icon name="clock" />
              Show on the timeline
            </Go>
          )}
          {mayChange && !isOfHost && (
            <Menu label="More actions">
              {run.state === 'done' ? (
                <MenuItem onPick={() => setVerb('delete')} isDangerous>
                  <Icon name="trash" /> Delete…
                </MenuItem>
              ) : (
                <MenuItem onPick={() => setVerb('terminate')} isDangerous>
                  <Icon name="close" /> Terminate…
                </MenuItem>
              )}
            </Menu>
          )}
        </>
      }
    >
      <div className="stack">
        {stopped !== undefined && (
          <Note family={stopped.family}>
            <b>{stopped.title}</b> {stopped.detail}
          </Note>
        )}
        {look === 'untaken' && (
          <Note family="fail">
            <b>No worker has taken it for {lengthText(now - Date.parse(run.availableAt))}.</b> It waits for
            one that knows the handler <code>{run.name}</code> and takes from the queue{' '}
            <code>{run.queue}</code>.
          </Note>
        )}
        {run.failure !== null && stopped === undefined && (
          <Note family="fail">
            <bdi>
              <b>{sentence(withLengths(headlineOf(run.failure.message)))}</b>
            </bdi>{' '}
            {run.state === 'done' ? afterFailure(run, schedule) : 'It is tried again.'}
          </Note>
        )}
        <section className="card" aria-labelledby="attempts">
          <header>
            <h2 id="attempts">Attempts</h2>
            <span className="t3">{zone === viewerZone ? 'your time' : `${placeOf(zone)} time`}</span>
            <span className="flex-1" />
            <span className="t2">{row.lateMs === null ? '' : `started ${lateText(row)}`}</span>
          </header>
          <Attempts run={run} attempts={attempts} zone={zone} now={now} />
        </section>
        <div className="cols-side">
          <div className="stack">
            <Log run={run} zone={zone} known={attempts.map(({ attempt }) => attempt)} />
            {run.failure !== null && stopped === undefined && <FailureCard failure={run.failure} />}
            <div className="cols-2">
              <Payload title="Input" value={run.input} />
              {run.outcome === 'completed' ? (
                <Payload title="Result" value={run.result} />
              ) : (
                <Payload title="Last progress" value={run.progress} />
              )}
            </div>
          </div>
          <div className="stack">
            <section className="card" aria-labelledby="came">
              <header>
                <h2 id="came">How it came about</h2>
              </header>
              <div className="body pb-0!">
                <ol className="chain">
                  {linksOfRun(run, { now, attempts: attemptsOf(attempts), repeats }).map(
                    ({ text, detail, at, look: mark, icon, to, slot: from }) => (
                      <li key={`${text} ${at}`}>
                        <span className={mark === undefined ? 'dot' : `dot fill f-${familyOf(mark)}`}>
                          {mark === undefined ? <Icon name={icon} /> : <Mark look={mark} />}
                        </span>
                        <div>
                          {at !== null && (
                            <b className="font-semibold">{momentText(zone, at, slot ?? began)} </b>
                          )}
                          {to === undefined ? (
                            text
                          ) : (
                            <Go className="link" to={links.run(to)}>
                              {text}
                            </Go>
                          )}
                          {detail !== '' && (
                            <span className="micro block">
                              {from === undefined ? (
                                detail
                              ) : (
                                <Go className="link" to={links.schedule(from.schedule, { at: from.at })}>
                                  {detail}
                                </Go>
                              )}
                            </span>
                          )}
                        </div>
                      </li>
                    ),
                  )}
                </ol>
              </div>
            </section>
            <section className="card" aria-labelledby="facts">
              <header>
                <h2 id="facts">Facts</h2>
              </header>
              <div className="body">
                <dl className="kv">
                  <dt>Id</dt>
                  <dd className="mono break-all">{run.id}</dd>
                  <dt>Cause</dt>
                  <dd>{causeText(run.cause ?? 'asked for by a program')}</dd>
                  <dt>Handler</dt>
                  <dd>
                    <code>{run.name}</code>
                  </dd>
                  {run.workflowId !== null && (
                    <>
                      <dt>Workflow</dt>
                      <dd className="mono">{run.workflowId}</dd>
                    </>
                  )}
                  <dt>Priority</dt>
                  <dd>{run.priority}</dd>
                  <dt>Worker</dt>
                  <dd>{run.worker === '' ? 'none' : run.worker}</dd>
                  <dt>Created</dt>
                  <dd>{sinceText(Date.parse(run.createdAt), now)}</dd>
                </dl>
                <div className="mt-3">
                  <Command text={`carillon run describe ${quoted(run.id)}`} />
                </div>
              </div>
            </section>
          </div>
        </div>
      </div>
      {verb !== undefined && <RunAsk id={run.id} verb={verb} onClose={() => setVerb(undefined)} />}
    </Screen>
  );
}

/** Sentences about the attempts that were made, and how many more failures would pause the schedule. */
function afterFailure(run: RunJson, schedule: ScheduleJson | undefined): string {
  const tried =
    run.attempt < 2 ? 'It had one attempt.' : `No attempt is left after ${plural(run.attempt, 'attempt')}.`;
  const pauseAfter = schedule?.policy.pauseAfterFailures ?? 0;
  if (schedule === undefined || pauseAfter === 0 || schedule.paused !== null) return tried;
  const more = Math.max(1, pauseAfter - schedule.failures);
  return `${tried} ${plural(more, 'more failed run')} in a row would pause the schedule.`;
}

function FailureCard({ failure }: { readonly failure: FailureLike }) {
  const text = failureText(failure);
  return (
    <section className="card" aria-labelledby="failure">
      <header>
        <h2 id="failure">Failure</h2>
        <span className="t3">{behindText(failure)}</span>
        <span className="flex-1" />
        <CopyButton text={text} label="Copy the failure" />
      </header>
      <pre className="body max-h-120 overflow-auto" tabIndex={0}>
        <bdi>{text}</bdi>
      </pre>
    </section>
  );
}

function Payload({ title, value }: { readonly title: string; readonly value: unknown }) {
  const text = value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="flex-1" />
        {text !== '' && <CopyButton text={text} label={`Copy the ${title.toLowerCase()}`} />}
      </header>
      {text === '' ? (
        <p className="body t3">There is none.</p>
      ) : (
        <pre className="body max-h-80 overflow-auto" tabIndex={0}>
          {text}
        </pre>
      )}
    </section>
  );
}
