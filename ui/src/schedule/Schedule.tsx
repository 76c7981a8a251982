/** One schedule: what it does, the verdict of every slot, and the settings that led to it. */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryToken } from 'carillon/client';
import { zoneOfSpec } from 'carillon/spec';
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useKeys } from '../app/keys.ts';
import { useLinks } from '../app/links.ts';
import { Screen } from '../app/Screen.tsx';
import { useScope } from '../data/api.ts';
import { useMayChange } from '../data/role.ts';
import { changedBy } from '../live/changed.ts';
import { useLive } from '../live/live.ts';
import type { StreamedEvent } from '../live/sse.ts';
import { copyText } from '../parts/Copy.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Menu, MenuItem } from '../parts/Menu.tsx';
import { Note } from '../parts/Note.tsx';
import { SkeletonBox } from '../parts/Skeleton.tsx';
import { showToast } from '../parts/toast.ts';
import { changeSearch, goTo } from '../route/address.ts';
import { useParams, useSearch } from '../route/hooks.ts';
import { lazyDialog } from '../route/lazy-dialog.tsx';
import { lazyPart } from '../route/lazy-part.tsx';
import { isByHand, wordsWithoutZone, zoneBehind } from '../schedules/row.ts';
import { useZoneOf } from '../time/choice.ts';
import { useNow } from '../time/now.ts';
import { sinceText } from '../time/text.ts';
import { dayMs, hourMs } from '../time/zone.ts';
import { stepOf } from '../timeline/from-answers.ts';
import type { Slot } from '../timeline/model.ts';
import { Mark } from '../verdict/Mark.tsx';
import { familyOf, wordOf } from '../verdict/verdict.ts';
import { afterFailures } from './own-rule.ts';
import { scheduleQuery } from './queries.ts';
import { SlotsCard } from './SlotsCard.tsx';
import { Stats } from './Stats.tsx';
import { lookOfSchedule } from './state.ts';

const Actions = lazyDialog(async () => (await import('../actions/Actions.tsx')).Actions);
const Backfill = lazyDialog(async () => (await import('../actions/Backfill.tsx')).Backfill);

const Cards = lazyPart(async () => (await import('./Cards.tsx')).Cards);
const Deploy = lazyPart(async () => (await import('./Deploy.tsx')).Deploy);
const Explain = lazyDialog(async () => (await import('../explain/Explain.tsx')).Explain);

// The cards are below the timeline: they are loaded during the first requests, and the timeline does not wait for them.
void Cards.preload();

type Asked = 'trigger' | 'pause' | 'resume' | 'delete' | 'backfill' | 'release';

/** After an event the schedule is read again at most this often. */
const rereadMs = 1500;

export function Schedule() {
  const { id = '' } = useParams();
  const scope = useScope();
  const links = useLinks();
  const now = useNow();
  const mayChange = useMayChange();
  const search = useSearch();
  const { data: schedule, error, refetch } = useQuery(scheduleQuery(scope, id));
  useReread(id);
  const [asked, setAsked] = useState<Asked>();
  const [slots, setSlots] = useState<readonly Slot[]>([]);
  const explained = Date.parse(search.at ?? '');
  const at = Number.isNaN(explained) ? undefined : explained;
  const explain = useCallback(
    (next: number | undefined, byHand?: string) => {
      const change = next === undefined ? undefined : new Date(next).toISOString().replace('.000', '');
      // Opening pushes an entry, so that Back closes; stepping from slot to slot replaces it.
      const replace = at !== undefined;
      changeSearch({ at: change, cause: byHand }, { replace });
    },
    [at],
  );
  const isPaused = schedule?.status === 'paused';
  useKeys(
    mayChange && schedule !== undefined
      ? {
          t: () => setAsked('trigger'),
          p: () => setAsked(isPaused ? 'resume' : 'pause'),
          b: () => setAsked('backfill'),
          e: () => goTo(links.edit(id)),
          y: () => void copyLink(),
          Escape: () => explain(undefined),
        }
      : { y: () => void copyLink(), Escape: () => explain(undefined) },
  );
  const spec = schedule?.spec;
  const step = useMemo(() => (schedule === undefined ? hourMs : stepOfSchedule(schedule)), [schedule]);
  const shownZone = useZoneOf(spec === undefined ? 'UTC' : zoneOfSpec(spec), spec?.zoneData);
  const crumbs = [{ text: 'Schedules', to: links.place('schedules') }, { text: id }];
  if (schedule === undefined || spec === undefined) {
    return (
      <Screen crumbs={crumbs} title={id}>
        <div className="card">
          {error === null ? (
            <SkeletonBox height={240} />
          ) : (
            <Failed
              what={`The schedule ${id}`}
              error={error}
              linkOf={(name) => links.schedule(name)}
              list={{ to: links.place('schedules'), text: 'To all schedules' }}
              onRetry={() => void refetch()}
            />
          )}
        </div>
      </Screen>
    );
  }
  const zone = zoneOfSpec(spec);
  const look = lookOfSchedule(schedule, now);
  return (
    <Screen
      crumbs={crumbs}
      title={
        <div className="flex flex-wrap items-center gap-2">
          <h1 className="wrap-anywhere">{id}</h1>
          {look !== undefined && (
            <span className={`pill f-${familyOf(look)}`}>
              <Mark look={look} />
              {wordOf(look)}
            </span>
          )}
          {schedule.tags.map((tag) => (
            <Go
              key={tag}
              to={`${links.place('schedules')}?q=${encodeURIComponent(queryToken('tag', tag))}`}
              className="tag"
            >
              {tag}
            </Go>
          ))}
        </div>
      }
      sub={
        <>
          <b className="font-medium text-text">{wordsWithoutZone(schedule.words, zone)}</b>
          {isByHand(schedule.spec) ? '' : zoneBehind(schedule.words, zone)}. Runs{' '}
          <code>{schedule.action.name}</code>
          {schedule.owner === '' ? '.' : ', owned by '}
          {schedule.owner !== '' && (
            <Go
              className="link"
              to={`${links.place('schedules')}?q=${encodeURIComponent(queryToken('owner', schedule.owner))}`}
            >
              {schedule.owner}
            </Go>
          )}
          {schedule.description !== '' && <span className="t3"> · {schedule.description}</span>}
        </>
      }
      acts={
        mayChange ? (
          <>
            <button type="button" className="btn primary" onClick={() => setAsked('trigger')}>
              <Icon name="play" />
              Trigger…
            </button>
            <button type="button" className="btn" onClick={() => setAsked(isPaused ? 'resume' : 'pause')}>
              <Icon name={isPaused ? 'play' : 'pause'} />
              {isPaused ? 'Resume…' : 'Pause…'}
            </button>
            <button type="button" className="btn" onClick={() => setAsked('backfill')}>
              <Icon name="back" />
              Backfill…
            </button>
            <Go className="btn" to={links.edit(id)}>
              <Icon name="edit" />
              Edit
            </Go>
            <Menu label="More actions">
              <MenuItem onPick={() => void copyLink()}>
                <Icon name="link" /> Copy link
              </MenuItem>
              {schedule.status === 'quarantined' && (
                <MenuItem onPick={() => setAsked('release')}>
                  <Icon name="again" /> Release from quarantine…
                </MenuItem>
              )}
              <MenuItem onPick={() => setAsked('delete')} isDangerous>
                <Icon name="trash" /> Delete…
              </MenuItem>
            </Menu>
          </>
        ) : undefined
      }
    >
      <div className="stack">
        {schedule.paused !== null && (
          <Note family="person" icon="pause">
            <b>
              {pausedText(schedule.paused, schedule.policy.pauseAfterFailures)}{' '}
              {sinceText(Date.parse(schedule.paused.at), now)}.
            </b>{' '}
            {schedule.paused.note === '' || schedule.paused.by === 'policy'
              ? ''
              : `“${schedule.paused.note}”. `}
            {schedule.paused.until === null
              ? 'It stays paused until a person resumes it.'
              : `It resumes by itself ${sinceText(Date.parse(schedule.paused.until), now)}.`}
          </Note>
        )}
        {schedule.incident !== null && (
          <Note family="fail">
            <b>In quarantine: deciding about it failed.</b> {schedule.incident}
          </Note>
        )}
        <Suspense>{schedule.declaredBy !== '' && <Deploy schedule={schedule} now={now} />}</Suspense>
        <Stats schedule={schedule} step={step} now={now} />
        <SlotsCard
          scope={scope}
          id={id}
          zone={shownZone}
          step={step}
          createdAt={Date.parse(schedule.createdAt)}
          last={latestOf(schedule.recent)}
          next={schedule.future[0] === undefined ? undefined : Date.parse(schedule.future[0].nominal)}
          spec={spec}
          now={now}
          at={at}
          onExplain={explain}
          onSlots={setSlots}
        />
        <Suspense fallback={<SkeletonBox height={320} />}>
          <Cards schedule={schedule} zone={shownZone} now={now} />
        </Suspense>
      </div>
      {at !== undefined && (
        <Explain
          id={id}
          zone={shownZone}
          at={at}
          neighbours={{
            before: slots.findLast((slot) => slot.at < at)?.at,
            after: slots.find((slot) => slot.at > at)?.at,
          }}
          onStep={explain}
          onClose={() => explain(undefined)}
        />
      )}
      {asked === 'backfill' ? (
        <Backfill id={id} zone={zone} onClose={() => setAsked(undefined)} />
      ) : asked !== undefined ? (
        <Actions verb={asked} ids={[id]} onClose={() => setAsked(undefined)} />
      ) : null}
    </Screen>
  );
}

async function copyLink(): Promise<void> {
  await copyText(location.href);
  showToast({ family: 'ran', text: 'Link copied' });
}

/** `Paused by ana`; a schedule that paused itself says by which rule. */
function pausedText({ by }: { readonly by: string }, failures: number | undefined): string {
  if (by !== 'policy') return `Paused by ${by}`;
  const after = afterFailures(failures);
  return after === '' ? 'Paused by its own rule' : `Paused by its own rule, ${after},`;
}

interface Times {
  readonly future: readonly { readonly nominal: string }[];
  readonly recent: readonly { readonly nominal: string; readonly manual: boolean }[];
  readonly spec: { readonly intervals?: readonly { readonly everyMs: number }[] };
}

/** The usual distance of the coming times. Without any it is that of the last ones, the interval of the spec, or an hour. */
function stepOfSchedule({ future, recent, spec }: Times): number {
  const fallback = spec.intervals?.[0]?.everyMs ?? (future.length === 1 ? 30 * dayMs : hourMs);
  const own = recent.filter(({ manual }) => !manual).map(({ nominal }) => Date.parse(nominal));
  return stepOf(
    future.map(({ nominal }) => Date.parse(nominal)),
    stepOf(
      own.sort((a, b) => a - b),
      fallback,
    ),
  );
}

function latestOf(recent: Times['recent']): number | undefined {
  return recent.length === 0 ? undefined : Math.max(...recent.map(({ nominal }) => Date.parse(nominal)));
}

/** Reads the schedule again a moment after an event about it. */
function useReread(id: string): void {
  const { namespace } = useScope();
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLive(
    useCallback(
      (events: readonly StreamedEvent[]) => {
        if (!changedBy(events).schedules.has(id) || timer.current !== undefined) return;
        timer.current = setTimeout(
          () => {
            timer.current = undefined;
            if (!document.hidden) void client.invalidateQueries({ queryKey: [namespace, 'schedule', id] });
          },
          events.length > 50 ? rereadMs : 100,
        );
      },
      [client, namespace, id],
    ),
  );
}
