import { useQuery } from '@tanstack/react-query';
import type { HostJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { Strip } from '../strip/Strip.tsx';
import { plural, sinceText } from '../time/text.ts';
import type { Act } from './act.ts';
import { outcomeWords, scheduleText } from './host.ts';

export interface MemberProps {
  readonly host: HostJson;
  readonly now: number;
  readonly mayChange: boolean;
  readonly act: Act;
}

interface ProducerProps extends MemberProps {
  readonly producer: HostJson['producers'][number];
}

export function Producer({ host, producer, now, mayChange, act }: ProducerProps) {
  const { api, namespace } = useScope();
  const slots = useQuery({
    queryKey: [namespace, 'host', host.id, 'slots', producer.name],
    queryFn: async () => await api.hosts.slots(host.id, producer.name, { limit: 20 }),
  }).data?.items;
  const strip = {
    slots: [...(slots ?? [])].reverse().map(({ nominal, verdict, count, runId }) => ({
      at: nominal,
      verdict,
      count,
      ...(runId === null ? {} : { run: { id: runId, state: 'done', outcome: 'completed' } }),
    })),
    p50Ms: null,
    p95Ms: null,
  };
  const { name, next, state, skipped, skippedInARow, last, publishes, schedule } = producer;
  return (
    <article className={`member ${state === 'running' ? 'act' : ''}`} data-box={`producer ${name}`}>
      <div className="flex justify-between gap-2">
        <b className="font-semibold">{name}</b>
        <span className="t3">
          {state === 'running'
            ? 'running'
            : state === 'waiting'
              ? 'waits its turn'
              : next === null
                ? 'held'
                : sinceText(Date.parse(next), now)}
        </span>
      </div>
      <div className="micro">
        {'cron' in schedule ? <code>{scheduleText(schedule)}</code> : scheduleText(schedule)}
        <span className="narrow-only"> · to {publishes.join(', ')}</span>
      </div>
      {slots !== undefined && slots.length > 0 && (
        <div className="flex items-end justify-between gap-2">
          <Strip strip={strip} isFromLeft />
          {skipped > 0 && (
            <span className="micro whitespace-nowrap">
              skipped {skippedInARow > 1 ? `${skippedInARow} in a row` : plural(skipped, 'time')}
            </span>
          )}
        </div>
      )}
      <Foot last={last} now={now}>
        {mayChange && (
          <button
            type="button"
            className="btn small"
            aria-label={`Trigger ${name}`}
            // A producer by hand needs an idle workflow; the words above say what holds it.
            disabled={host.work !== null}
            onClick={() =>
              void act(`Triggered ${name}`, () => api.hosts.trigger(host.id, { producer: name }))
            }
          >
            Trigger
          </button>
        )}
      </Foot>
    </article>
  );
}

interface FootProps {
  readonly last: HostJson['producers'][number]['last'];
  readonly now: number;
  readonly children: React.ReactNode;
}

/** The last run of a member, with its outcome, and what a person may do. */
export function Foot({ last, now, children }: FootProps) {
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
          {last.error === null ? '' : `: ${last.error}`}
        </span>
      )}
      {children}
    </div>
  );
}
