import { useQuery } from '@tanstack/react-query';
import type { HostJson } from 'carillon/client';
import { useMemo, useState } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { Strip } from '../strip/Strip.tsx';
import { lengthText, plural, sinceText } from '../time/text.ts';
import { DueTimes } from './DueTimes.tsx';
import { hasUntakenRun, outcomeWords, scheduleText, stripOfDue } from './host.ts';
import type { Question } from './question.ts';

export interface MemberProps {
  readonly host: HostJson;
  readonly now: number;
  readonly mayChange: boolean;
  /** Asks the person about a change: shows what it would do, and makes it when the person agrees. */
  readonly ask: (question: Question) => void;
}

interface ProducerProps extends MemberProps {
  readonly producer: HostJson['producers'][number];
}

export function Producer({ host, producer, now, mayChange, ask }: ProducerProps) {
  const { api, namespace } = useScope();
  const slots = useQuery({
    queryKey: [namespace, 'host', host.id, 'slots', producer.name],
    queryFn: async () => await api.hosts.slots(host.id, producer.name, { limit: 20 }),
  }).data?.items;
  const [isOpen, setOpen] = useState(false);
  const strip = useMemo(() => stripOfDue(slots ?? []), [slots]);
  const isUntaken = hasUntakenRun(host, now);
  const { name, next, state, skipped, skippedInARow, starving, last, publishes, schedule } = producer;
  return (
    <article
      className={`member ${state === 'running' && !isUntaken ? 'act' : ''}`}
      data-box={`producer ${name}`}
    >
      <div className="flex justify-between gap-2">
        <b className="font-semibold">{name}</b>
        <span className={state === 'running' && isUntaken ? 'text-fail-t' : 't3'}>
          {state === 'running'
            ? isUntaken
              ? 'waits for a node'
              : 'running'
            : state === 'waiting'
              ? 'waits its turn'
              : next === null
                ? heldText(host, now)
                : sinceText(Date.parse(next), now)}
        </span>
      </div>
      <div className="micro">
        {'cron' in schedule ? <code>{scheduleText(schedule)}</code> : scheduleText(schedule)}
        <span className="narrow-only"> · to {publishes.join(', ')}</span>
      </div>
      {slots !== undefined && slots.length > 0 && (
        <div className="flex flex-wrap items-end justify-between gap-x-2">
          <Strip strip={strip} isFromLeft />
          {skipped > 0 && (
            <span className={`micro ${starving ? 'text-policy-t!' : ''}`}>
              {starving && 'never gets a turn: '}skipped{' '}
              {skippedInARow > 1 ? `${skippedInARow} in a row` : plural(skipped, 'time')}
            </span>
          )}
        </div>
      )}
      {slots !== undefined && slots.length > 0 && (
        <button
          type="button"
          className="link text-second"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Hide due times' : 'Due times'} of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide due times' : 'Due times'}
        </button>
      )}
      {isOpen && slots !== undefined && (
        <DueTimes
          id={host.id}
          producer={name}
          zone={'cron' in schedule ? (schedule.timezone ?? 'UTC') : 'UTC'}
          slots={slots}
          now={now}
        />
      )}
      <Foot last={last} now={now}>
        {mayChange && (
          <button
            type="button"
            className="btn small"
            aria-label={`Trigger ${name}`}
            // A producer can be run by hand only in an idle workflow.
            disabled={host.work !== null}
            title={host.work === null ? undefined : 'A producer can be triggered when no run is under way'}
            onClick={() => ask({ verb: 'trigger', handler: { producer: name } })}
          >
            Trigger…
          </button>
        )}
      </Foot>
    </article>
  );
}

/** Why no due time is shown: a person has paused the workflow, or must decide. */
function heldText({ block, paused }: HostJson, now: number): string {
  const since = block?.since ?? paused?.at;
  return since === undefined ? 'held' : `held for ${lengthText(now - Date.parse(since))}`;
}

interface FootProps {
  readonly last: HostJson['producers'][number]['last'];
  readonly now: number;
  /** Whether the card already says why the run failed. */
  readonly isTold?: boolean;
  readonly children: React.ReactNode;
}

/** The last run of a member, with its outcome, and what a person may do. */
export function Foot({ last, now, isTold = false, children }: FootProps) {
  const links = useLinks();
  return (
    <div className="mt-1 flex items-end justify-between gap-2">
      {last === null ? (
        <span className="micro">has not run yet</span>
      ) : (
        <span className={`micro min-w-0 ${last.outcome === 'failed' ? 'text-fail-t!' : ''}`}>
          <Go className="link" to={links.run(last.runId)}>
            last run
          </Go>{' '}
          {outcomeWords[last.outcome]} {last.endedAt === null ? '' : sinceText(Date.parse(last.endedAt), now)}
          {last.empty ? ', took nothing' : ''}
          {last.error === null || isTold ? '' : `: ${last.error}`}
        </span>
      )}
      {children}
    </div>
  );
}
