/** Workflow hosts: per workflow its producers, topics and consumers, and everything a person may do about them. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HostJson, HostSummaryJson } from 'carillon/client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Screen } from '../app/Screen.tsx';
import type { Scope } from '../data/api.ts';
import { troubleOf, useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { useLive, useLiveState } from '../live/live.ts';
import { Command } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Icon } from '../parts/Icon.tsx';
import { useKeptFocus } from '../parts/kept-focus.ts';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { unchanged } from '../parts/sentence.ts';
import { showToast } from '../parts/toast.ts';
import { changeSearch } from '../route/address.ts';
import { useSearch } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { useNow } from '../time/now.ts';
import { countText, sinceText } from '../time/text.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf } from '../verdict/verdict.ts';
import { attentionText } from './attention-text.ts';
import { Consumer } from './Consumer.tsx';
import { blockText, hasUntakenRun, headOf, hostChips, lookOfHost, nextInLine, worstFirst } from './host.ts';
import { Producer } from './Producer.tsx';
import type { Question } from './question.ts';
import { Topic } from './Topic.tsx';
import { Wires } from './Wires.tsx';
import { wiresOf } from './wires.ts';

const HostAsk = lazyDialog(async () => (await import('./HostAsk.tsx')).HostAsk);

export function Hosts() {
  const scope = useScope();
  const client = useQueryClient();
  const now = useNow();
  const { is } = useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: [scope.namespace, 'hosts'],
    queryFn: async ({ signal }) => await readAll(scope.api, signal),
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
  const all = data ?? [];
  const chip = hostChips.find(({ name }) => name === is);
  const { ordered, ...held } = useHeldOrder(all);
  const chosen = chip === undefined ? ordered : ordered.filter((host) => chip.isOf(host, now));
  const [most, setMost] = useState(cardsAtOnce);
  const shown = chosen.slice(0, most);
  const say = (name: string | undefined) => changeSearch({ is: name }, { replace: true });
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
            const count = all.filter((host) => isOf(host, now)).length;
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
      <div className="stack" {...held}>
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
        {data !== undefined && all.length > 0 && chosen.length === 0 && (
          <div className="card empty">
            <h2>None is in that state now</h2>
            <button type="button" className="btn mt-2" onClick={() => say(undefined)}>
              Show all
            </button>
          </div>
        )}
        {chosen.length > shown.length && (
          <button
            type="button"
            className="btn justify-self-start"
            onClick={() => setMost(most + cardsAtOnce)}
          >
            Show {Math.min(cardsAtOnce, chosen.length - shown.length)} more of{' '}
            {countText(chosen.length - shown.length)}
          </button>
        )}
        <div className="max-w-140">
          <Command text="carillon host list" />
        </div>
      </div>
    </Screen>
  );
}

/** Each card reads its workflow every few seconds, so only some are shown at once. */
const cardsAtOnce = 20;
const mostListed = 1000;

async function readAll(api: Scope['api'], signal: AbortSignal): Promise<readonly HostSummaryJson[]> {
  const found: HostSummaryJson[] = [];
  let after: string | null | undefined;
  while (after !== null && found.length < mostListed) {
    const page = await api.hosts.list({ limit: 200, ...(after === undefined ? {} : { after }) }, { signal });
    found.push(...page.items);
    after = page.next;
  }
  return found;
}

/** Worst first; while the pointer or the keyboard is among them, the cards keep their places. */
function useHeldOrder(hosts: readonly HostSummaryJson[]) {
  const [isOver, setOver] = useState(false);
  const [isKeyed, setKeyed] = useState(false);
  const isHeld = isOver || isKeyed;
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  const sorted = useMemo(() => worstFirst(hosts), [hosts]);
  const ordered = useMemo(() => {
    const placeOf = ({ id }: HostSummaryJson) => places.current.get(id) ?? Number.MAX_SAFE_INTEGER;
    return isHeld ? [...sorted].sort((a, b) => placeOf(a) - placeOf(b)) : sorted;
  }, [sorted, isHeld]);
  useEffect(() => {
    places.current = new Map(ordered.map(({ id }, place) => [id, place]));
  }, [ordered]);
  return {
    ordered,
    onPointerEnter: () => setOver(true),
    onPointerLeave: () => setOver(false),
    onFocus: ({ target }: { target: Element }) => setKeyed(target.matches(':focus-visible')),
    onBlur: () => setKeyed(false),
  };
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
  /** The description is preferred, because it is read more often than the list. */
  const summary: HostSummaryJson = host ?? listed;
  /** Makes the change, reports the result, and reads the workflow again. */
  const act = async (what: string, change: () => Promise<unknown>) => {
    try {
      await change();
      showToast({ family: 'ran', text: what });
    } catch (reason) {
      showToast({
        family: 'fail',
        text: `Not done: ${what}`,
        detail: unchanged(troubleOf(reason).message),
      });
    }
    await client.invalidateQueries({ queryKey: [scope.namespace, 'hosts'] });
    await client.invalidateQueries({ queryKey: key });
  };
  const [asked, setAsked] = useState<Question>();
  const kept = useKeptFocus<HTMLElement>();
  const wires = useMemo(() => (host === undefined ? [] : wiresOf(host)), [host]);
  const look = lookOfHost(summary, now);
  const isHeld =
    summary.status === 'paused' || (host?.block?.kind === 'failed' && summary.status === 'blocked');
  return (
    <section aria-label={id} {...kept}>
      {/* While the server does not answer, every button of the card is disabled. */}
      <fieldset className="card" disabled={isOffline}>
        <header className="flex-wrap">
          <h2>{id}</h2>
          <span className={`pill f-${familyOf(look)}`}>
            <Mark look={look} />
            {headOf(summary, host, now)}
          </span>
          <span className="t2 min-w-0 flex-1 basis-60">{aboutOf(summary, host, now)}</span>
          {mayChange &&
            (isHeld ? (
              <button type="button" className="btn" onClick={() => setAsked({ verb: 'resume' })}>
                <Icon name="play" /> Resume…
              </button>
            ) : summary.status === 'quarantined' ? (
              <button type="button" className="btn" onClick={() => setAsked({ verb: 'release' })}>
                <Icon name="again" /> Release…
              </button>
            ) : (
              <button type="button" className="btn" onClick={() => setAsked({ verb: 'pause' })}>
                <Icon name="pause" /> Pause…
              </button>
            ))}
        </header>
        {host === undefined ? (
          error === null ? (
            <SkeletonBox height={100} />
          ) : (
            <Failed what="The workflow" error={error} />
          )
        ) : (
          <div className="body grid gap-3">
            <Notes host={host} now={now} />
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
                    ask={setAsked}
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
                    ask={setAsked}
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
                    ask={setAsked}
                  />
                ))}
              </div>
            </div>
          </div>
        )}
      </fieldset>
      {asked !== undefined && (
        <HostAsk id={id} question={asked} act={act} onClose={() => setAsked(undefined)} />
      )}
    </section>
  );
}

/** One line about the workflow: what comes next, or when it was last active. */
function aboutOf(summary: HostSummaryJson, host: HostJson | undefined, now: number): string {
  if (summary.status === 'blocked') return 'Nothing of this workflow runs until a person decides';
  const next = host === undefined ? undefined : nextInLine(host);
  if (next !== undefined) return next;
  if (summary.attention !== null) return attentionText(summary.attention);
  if (summary.status === 'running') return 'Nothing is next in line';
  if (summary.lastRunAt === null) return 'Has not run yet';
  return `Last did something ${sinceText(Date.parse(summary.lastRunAt), now)}`;
}

interface NotesProps {
  readonly host: HostJson;
  readonly now: number;
}

/** Notes about what keeps the workflow from running. An uncertain change is shown on the card of its consumer. */
function Notes({ host, now }: NotesProps) {
  const { block, paused, incident } = host;
  return (
    <>
      {paused !== null && (
        <Note family="person" icon="pause">
          <b>{paused.by === 'page' ? 'Paused on this page.' : `Paused by ${paused.by}.`}</b> {paused.note}
        </Note>
      )}
      {block?.kind === 'failed' && (
        <Note family="fail">
          <b>A run failed for good.</b> {blockText(block.message)} Remove the cause, then resume.
        </Note>
      )}
      {hasUntakenRun(host, now) && (
        <Note family="fail">
          <b>Its run waits for a node that knows this workflow.</b> Start a program that deploys it.
        </Note>
      )}
      {incident !== null && <Note family="fail">{incident}</Note>}
    </>
  );
}
