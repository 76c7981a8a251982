/** One run: why it failed first, then its attempts, its failure with causes, what it was given and what it gave. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { RunJson } from 'carillon/client';
import { useCallback, useState } from 'react';
import { useGo, useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { changedBy } from '../live/changed.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { Command, CopyButton } from '../parts/Copy.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Menu, MenuItem } from '../parts/Menu.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { sentence } from '../parts/sentence.ts';
import { showToast } from '../parts/toast.ts';
import { scheduleQuery } from '../schedule/queries.ts';
import { quoted } from '../schedules/filter.ts';
import { useZoneOf } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { clockSecondsText, clockText, dayText, lengthText, plural, sinceText } from '../time/text.ts';
import { placeOf, viewerZone, zoneLetters } from '../time/zone.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf, lookOfRun, wordOfRun } from '../verdict/verdict.ts';
import { Attempts } from './Attempts.tsx';
import { conductorStateOf, isOfConductor } from './conductor-state.ts';
import { Log } from './Log.tsx';
import { attemptsQuery, runQuery } from './queries.ts';
import { shortRunId } from './run-id.ts';
import { causeText, lateText, runRowOf } from './run-row.ts';
import { storyOfRun } from './run-story.ts';

export function Run() {
  const { run: id } = useParams({ strict: false }) as { readonly run: string };
  const scope = useScope();
  const links = useLinks();
  const now = useNow();
  const mayChange = useMayChange();
  const client = useQueryClient();
  const { data: run, error, refetch } = useQuery(runQuery(scope, id));
  const schedule = useQuery({
    ...scheduleQuery(scope, run?.schedule ?? ''),
    enabled: run !== undefined && run.schedule !== null,
  }).data;
  const attempts = useQuery({ ...attemptsQuery(scope, id), enabled: run !== undefined }).data ?? [];
  const [asked, setAsked] = useState<'again' | 'cancel' | 'terminate'>();
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        if (changedBy(events).runs.has(id))
          void client.invalidateQueries({ queryKey: [scope.namespace, 'run', id] });
      },
      [client, scope, id],
    ),
  );
  const zone = useZoneOf(schedule?.spec.zone ?? viewerZone);
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
          ) : (
            <Failed what={`The run ${id}`} error={error} onRetry={() => void refetch()} />
          )}
        </div>
      </Screen>
    );
  }
  // A workflow begins its runs itself; what a person may do with it stands on its card.
  const isOfHost = run.queue === 'hosts' && run.cause !== null && /^(producer|consumer)\//.test(run.cause);
  const look = lookOfRun(run);
  const row = runRowOf(run, now);
  const slot = run.scheduledAt === null ? null : Date.parse(run.scheduledAt);
  return (
    <Screen
      crumbs={crumbs}
      title={
        <div className="flex flex-wrap items-center gap-2">
          <h1>
            Run <span className="font-mono text-[17px] font-medium">{shortRunId(id)}</span>
          </h1>
          <span className={`pill f-${familyOf(look)}`}>
            <Mark look={look} />
            {wordOfRun(run)}
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
                `, slot ${dayText(zone, slot)} ${clockText(zone, slot)} ${zoneLetters(zone, slot)}${zone === viewerZone ? '' : ` (${clockText(viewerZone, slot)} for you)`}`}
            </>
          )}
          . {plural(run.attempt, 'attempt')}
          {row.tookMs === null ? '' : ` in ${lengthText(row.tookMs)}`}, on queue <code>{run.queue}</code>.
        </>
      }
      acts={
        <>
          {mayChange && !isOfHost && run.state === 'done' && (
            <button type="button" className="btn primary" onClick={() => setAsked('again')}>
              <Icon name="again" />
              Run again…
            </button>
          )}
          {mayChange && !isOfHost && run.state !== 'done' && (
            <button type="button" className="btn primary" onClick={() => setAsked('cancel')}>
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
          {mayChange && !isOfHost && run.state !== 'done' && (
            <Menu label="More actions">
              <MenuItem onPick={() => setAsked('terminate')} isDangerous>
                <Icon name="close" /> Terminate…
              </MenuItem>
            </Menu>
          )}
        </>
      }
    >
      <div className="stack">
        {run.failure !== null && (
          <Note family="fail">
            <b>{sentence(run.failure.message)}</b>{' '}
            {run.state === 'done'
              ? afterFailure(run, schedule?.policy.pauseAfterFailures)
              : 'It is tried again.'}
          </Note>
        )}
        <section className="card" aria-labelledby="attempts">
          <header>
            <h2 id="attempts">Attempts</h2>
            <span className="t3">{zone === viewerZone ? 'your time' : `${placeOf(zone)} time`}</span>
            <span className="flex-1" />
            <span className="t2">{row.lateMs === null ? '' : `started ${lateText(row.lateMs)}`}</span>
          </header>
          <Attempts run={run} attempts={attempts} zone={zone} now={now} />
        </section>
        <div className="cols-side">
          <div className="stack">
            <Log run={run} zone={zone} />
            {run.failure !== null && <FailureCard failure={run.failure} />}
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
                  {storyOfRun(run, now).map(({ text, detail, at, look: mark, icon, to }) => (
                    <li key={text}>
                      <span className={mark === undefined ? 'dot' : `dot fill f-${familyOf(mark)}`}>
                        {mark === undefined ? <Icon name={icon} /> : <Mark look={mark} />}
                      </span>
                      <div>
                        {at !== null && <b className="font-semibold">{clockSecondsText(zone, at)} </b>}
                        {to === undefined ? (
                          text
                        ) : (
                          <Go className="link" to={links.run(to)}>
                            {text}
                          </Go>
                        )}
                        {detail !== '' && <span className="micro block">{detail}</span>}
                      </div>
                    </li>
                  ))}
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
                  <dd className="mono">{run.id}</dd>
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
                  <dd>{run.worker === '' ? 'none now' : run.worker}</dd>
                  <dt>Created</dt>
                  <dd>{sinceText(Date.parse(run.createdAt), now)}</dd>
                </dl>
                <div className="mt-3">
                  <Command text={`carillon runs show ${quoted(run.id)}`} />
                </div>
              </div>
            </section>
          </div>
        </div>
      </div>
      {asked !== undefined && <Ask run={run} verb={asked} onClose={() => setAsked(undefined)} />}
    </Screen>
  );
}

function afterFailure(run: RunJson, pauseAfter = 0): string {
  const tried = `No attempt is left after ${plural(run.attempt, 'attempt')}.`;
  return pauseAfter === 0 ? tried : `${tried} ${pauseAfter} failures in a row pause the schedule.`;
}

interface FailureLike {
  readonly message: string;
  readonly type?: string;
  readonly stack?: string;
  readonly cause?: unknown;
}

function FailureCard({ failure }: { readonly failure: FailureLike }) {
  const lines: string[] = [];
  let each: FailureLike | undefined = failure;
  for (let depth = 0; each !== undefined && depth < 8; depth += 1) {
    const title = each.stack ?? `${each.type === undefined ? '' : `${each.type}: `}${each.message}`;
    lines.push(`${depth === 0 ? '' : 'caused by '}${title}`);
    each = typeof each.cause === 'object' && each.cause !== null ? (each.cause as FailureLike) : undefined;
  }
  const text = lines.join('\n');
  return (
    <section className="card" aria-labelledby="failure">
      <header>
        <h2 id="failure">Failure</h2>
        <span className="t3">with what caused it</span>
        <span className="flex-1" />
        <CopyButton text={text} label="Copy the failure" />
      </header>
      <pre className="body overflow-auto" tabIndex={0}>
        {text}
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

interface AskProps {
  readonly run: RunJson;
  readonly verb: 'again' | 'cancel' | 'terminate';
  readonly onClose: () => void;
}

const askWords = {
  again: [
    'Run it again',
    'The same work with the same input starts as a new run. The slot keeps its verdict.',
  ],
  cancel: ['Cancel the run', 'Its handler is asked to stop. A run that waits ends at once.'],
  terminate: ['Terminate the run', 'It ends at once, and what its handler still does is ignored.'],
} as const;

function Ask({ run, verb, onClose }: AskProps) {
  const scope = useScope();
  const client = useQueryClient();
  const links = useLinks();
  const go = useGo();
  const [wrong, setWrong] = useState<string>();
  const [title, text] = askWords[verb];
  const perform = async () => {
    try {
      if (verb === 'again') {
        const next = await scope.api.runs.again(run.id);
        showToast({ family: 'ran', text: 'Started again' });
        onClose();
        return go(links.run(next.id));
      }
      const stopped = await scope.api.runs[verb](run.id);
      showToast({
        family: 'ran',
        text: verb === 'cancel' ? 'Asked to stop' : 'Terminated',
        detail: String(stopped),
      });
      void client.invalidateQueries({ queryKey: [scope.namespace, 'run', run.id] });
      onClose();
    } catch (error) {
      setWrong(`${troubleOf(error).message}. Nothing was changed.`);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className={verb === 'terminate' ? 'btn danger' : 'btn primary'}
            onClick={() => void perform()}
            data-first=""
          >
            {title}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            Back
          </button>
        </>
      }
    >
      <p className="mb-3">{text}</p>
      {wrong !== undefined && (
        <div role="alert" className="mb-3">
          <Note family="fail">{wrong}</Note>
        </div>
      )}
      <Command text={`carillon runs ${verb} ${quoted(run.id)}`} />
    </Dialog>
  );
}
