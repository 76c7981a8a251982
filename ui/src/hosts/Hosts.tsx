/** Workflow hosts: per workflow its producers, topics and consumers, and everything a person may do about them. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { HostJson, HostSummaryJson } from 'carillon/client';
import { useCallback, useMemo, useState } from 'react';
import { Screen } from '../app/Screen.tsx';
import { troubleOf, useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { useLive, useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { useNow } from '../time/now.ts';
import { countText, sinceText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf } from '../verdict/verdict.ts';
import { Consumer } from './Consumer.tsx';
import { HostAsk } from './HostAsk.tsx';
import { blockText, headOf, hostChips, lookOfHost, nextInLine } from './host.ts';
import { Producer } from './Producer.tsx';
import { Topic } from './Topic.tsx';
import { Wires } from './Wires.tsx';
import { wiresOf } from './wires.ts';

export function Hosts() {
  const scope = useScope();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { is } = useSearch({ strict: false }) as { readonly is?: string };
  const { data, error, refetch } = useQuery({
    queryKey: [scope.namespace, 'hosts'],
    queryFn: async ({ signal }) => await scope.api.hosts.list({ limit: 100 }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  });
  useLive(
    useCallback(() => {
      void client.invalidateQueries(
        { queryKey: [scope.namespace, 'host'], stale: true },
        { cancelRefetch: false },
      );
    }, [client, scope.namespace]),
  );
  const all = data?.items ?? [];
  const chip = hostChips.find(({ name }) => name === is);
  const shown = chip === undefined ? all : all.filter(chip.isOf);
  const say = (name: string | undefined) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, is: name }), replace: true } as never);
  return (
    <Screen
      crumbs={[{ text: 'Workflow hosts' }]}
      title="Workflow hosts"
      sub="Producers read the world on a schedule, topics hold what they found, consumers act on it. One run at a time in each workflow."
    >
      {all.length > 0 && (
        <fieldset className="mb-3 flex flex-wrap gap-1.5" aria-label="State">
          <button
            type="button"
            className="chip"
            aria-pressed={chip === undefined}
            onClick={() => say(undefined)}
          >
            All <b>{countText(all.length)}</b>
          </button>
          {hostChips.map(({ name, text, look, isOf }) => {
            const count = all.filter(isOf).length;
            return count === 0 && chip?.name !== name ? null : (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed={chip?.name === name}
                onClick={() => say(chip?.name === name ? undefined : name)}
              >
                <Mark look={look} />
                {text} <b>{countText(count)}</b>
              </button>
            );
          })}
        </fieldset>
      )}
      <div className="stack">
        {data === undefined && (
          <div className="card">
            {error === null ? (
              <SkeletonBox height={180} />
            ) : (
              <Failed what="The workflows" error={error} onRetry={() => void refetch()} />
            )}
          </div>
        )}
        {data !== undefined && all.length === 0 && (
          <div className="card empty">
            <span className="mb-1 flex gap-2">
              <Mark look="notYet" />
              <Mark look="buffered" />
              <Mark look="notYet" />
            </span>
            <h2>No workflow host yet</h2>
            <p>A workflow is deployed by a program that has its producers and consumers.</p>
          </div>
        )}
        {shown.map((host) => (
          <HostCard key={host.id} summary={host} />
        ))}
        <div className="max-w-140">
          <Command text="carillon host list" />
        </div>
      </div>
    </Screen>
  );
}

function HostCard({ summary: listed }: { readonly summary: HostSummaryJson }) {
  const scope = useScope();
  const client = useQueryClient();
  const now = useNow();
  const mayChange = useMayChange();
  const isOffline = useLiveState().is === 'offline';
  const { id } = listed;
  const key = [scope.namespace, 'host', id];
  const { data: host, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => await scope.api.hosts.describe(id, { signal }),
    staleTime: 1000,
    refetchInterval: 5000,
  });
  /** The description is read more often than the list. */
  const summary: HostSummaryJson = host ?? listed;
  /** Does it, says what happened, and reads the workflow again. */
  const act = async (what: string, change: () => Promise<unknown>) => {
    try {
      await change();
      showToast({ family: 'ran', text: what });
    } catch (reason) {
      showToast({
        family: 'fail',
        text: `Not done: ${what}`,
        detail: `${troubleOf(reason).message}. Nothing was changed.`,
      });
    }
    await client.invalidateQueries({ queryKey: [scope.namespace, 'hosts'] });
    await client.invalidateQueries({ queryKey: key });
  };
  const [isPausing, setPausing] = useState(false);
  const wires = useMemo(() => (host === undefined ? [] : wiresOf(host)), [host]);
  const look = lookOfHost(summary);
  const isHeld =
    summary.status === 'paused' || (host?.block?.kind === 'failed' && summary.status === 'blocked');
  return (
    <section className="card" aria-label={id}>
      {/* A server that does not answer can do nothing: every button of the card waits. */}
      <fieldset className="contents" disabled={isOffline}>
        <header className="flex-wrap">
          <h2>{id}</h2>
          <span className={`pill f-${familyOf(look)}`}>
            <Mark look={look} />
            {headOf(summary, host)}
          </span>
          <span className="t2 min-w-0 flex-1 basis-60">{aboutOf(summary, host, now)}</span>
          {mayChange &&
            (isHeld ? (
              <button
                type="button"
                className="btn"
                onClick={() => void act(`Resumed ${id}`, () => scope.api.hosts.resume(id))}
              >
                <Icon name="play" /> Resume
              </button>
            ) : summary.status === 'quarantined' ? (
              <button
                type="button"
                className="btn"
                onClick={() => void act(`Released ${id}`, () => scope.api.hosts.release(id))}
              >
                <Icon name="again" /> Release
              </button>
            ) : (
              <button type="button" className="btn" onClick={() => setPausing(true)}>
                <Icon name="pause" /> Pause…
              </button>
            ))}
          {isPausing && <HostAsk id={id} verb="pause" act={act} onClose={() => setPausing(false)} />}
        </header>
        {host === undefined ? (
          error === null ? (
            <SkeletonBox height={100} />
          ) : (
            <Failed what="The workflow" error={error} />
          )
        ) : (
          <div className="body grid gap-3">
            <Notes host={host} />
            <div className="flow">
              <Wires wires={wires} />
              <div>
                <h3 className="label mb-1">Producers</h3>
                {host.producers.map((producer) => (
                  <Producer
                    key={producer.name}
                    host={host}
                    producer={producer}
                    now={now}
                    mayChange={mayChange}
                    act={act}
                  />
                ))}
                {host.producers.length === 0 && <p className="t3">none</p>}
              </div>
              <div>
                <h3 className="label mb-1">Topics</h3>
                {host.topics.map((topic) => (
                  <Topic
                    key={topic.name}
                    host={host}
                    topic={topic}
                    now={now}
                    mayChange={mayChange}
                    act={act}
                  />
                ))}
              </div>
              <div>
                <h3 className="label mb-1">Consumers</h3>
                {host.consumers.map((consumer) => (
                  <Consumer
                    key={consumer.name}
                    host={host}
                    consumer={consumer}
                    now={now}
                    mayChange={mayChange}
                    act={act}
                  />
                ))}
              </div>
            </div>
          </div>
        )}
      </fieldset>
    </section>
  );
}

/** One line about the workflow: what follows, or when it last did something. */
function aboutOf(summary: HostSummaryJson, host: HostJson | undefined, now: number): string {
  if (summary.status === 'blocked') return 'Nothing of this workflow runs until a person decides';
  const next = host === undefined ? undefined : nextInLine(host);
  if (next !== undefined) return next;
  if (summary.attention !== null) return summary.attention;
  if (summary.lastRunAt === null) return 'Has not run yet';
  return `Last did something ${sinceText(Date.parse(summary.lastRunAt), now)}`;
}

interface NotesProps {
  readonly host: HostJson;
}

/** What holds the workflow. An uncertain change is asked about on the card of its consumer. */
function Notes({ host }: NotesProps) {
  const { block, paused, work, incident } = host;
  return (
    <>
      {paused !== null && (
        <Note family="person" icon="pause">
          <b>Paused by {paused.by}.</b> {paused.note}
        </Note>
      )}
      {block?.kind === 'failed' && (
        <Note family="fail">
          <b>A run failed for good.</b> {blockText(block.message)} Remove the cause, then resume.
        </Note>
      )}
      {work?.waitsForNode === true && (
        <Note family="fail">
          <b>Its run waits for a node that knows this workflow.</b> Start a program that deploys it.
        </Note>
      )}
      {incident !== null && <Note family="fail">{incident}</Note>}
    </>
  );
}
