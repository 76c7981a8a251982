import { useQuery } from '@tanstack/react-query';
import type { HostJson } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { Strip } from '../strip/Strip.tsx';
import { sinceText } from '../time/text.ts';
import type { Act } from './Hosts.tsx';

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
  const { name, next, state, skipped, skippedInARow, last, publishes } = producer;
  return (
    <article className={`member ${state === 'running' ? 'act' : ''}`}>
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
      {slots !== undefined && slots.length > 0 && <Strip strip={strip} isFromLeft />}
      <div className="micro">
        to {publishes.join(', ')}
        {skipped > 0 && ` · skipped ${skipped}${skippedInARow > 1 ? `, ${skippedInARow} in a row` : ''}`}
      </div>
      <LastRun last={last} now={now} />
      {mayChange && (
        <button
          type="button"
          className="btn mt-1"
          onClick={() => void act(`Triggered ${name}`, () => api.hosts.trigger(host.id, { producer: name }))}
        >
          Trigger
        </button>
      )}
    </article>
  );
}

export function LastRun({
  last,
  now,
}: {
  readonly last: HostJson['producers'][number]['last'];
  readonly now: number;
}) {
  if (last === null) return <div className="micro">has not run yet</div>;
  return (
    <div className={`micro ${last.outcome === 'failed' ? 'text-fail-t!' : ''}`}>
      last run {last.outcome} {last.endedAt === null ? '' : sinceText(Date.parse(last.endedAt), now)}
      {last.empty ? ', took nothing' : ''}
      {last.error === null ? '' : `: ${last.error}`}
    </div>
  );
}
