import { useQuery } from '@tanstack/react-query';
import type { HostJson } from 'carillon/client';
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { countText } from '../time/text.ts';
import { depthOf, topicText } from './host.ts';
import type { MemberProps } from './Producer.tsx';

interface TopicProps extends MemberProps {
  readonly topic: HostJson['topics'][number];
}

export function Topic({ host, topic, now, mayChange, ask }: TopicProps) {
  const { api, namespace } = useScope();
  const [isOpen, setOpen] = useState(false);
  const { name, pending, reserved, stale, orphaned } = topic;
  const events = useQuery({
    queryKey: [namespace, 'host', host.id, 'events', name],
    queryFn: async () => await api.hosts.events(host.id, name, { state: ['pending'], limit: 10 }),
    enabled: isOpen,
  }).data?.items;
  return (
    <article className={`member ${orphaned ? 'bad' : ''}`} data-box={`topic ${name}`}>
      <div className="flex justify-between gap-2">
        <code className="font-medium">{name}</code>
        <b className="font-semibold">{countText(pending + reserved)}</b>
      </div>
      <div className="depth" aria-hidden="true">
        {depthOf(topic).map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a step is
          <i key={place} className={step === 'free' ? '' : stale ? 'old' : 'on'} />
        ))}
      </div>
      <div className={`micro ${stale ? 'text-policy-t!' : ''}`}>{topicText(topic, now)}</div>
      {pending > 0 && (
        <button
          type="button"
          className="link text-second"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Hide events' : 'Events'}
        </button>
      )}
      {isOpen && (
        <ul>
          {events?.map((event) => (
            <li key={event.id} className="flex items-center justify-between gap-2 py-0.5">
              <code className="truncate">{event.id}</code>
              {mayChange && (
                <button
                  type="button"
                  className="btn small"
                  aria-label={`Skip ${event.id}`}
                  onClick={() => ask({ verb: 'skipEvent', topic: name, event: event.id })}
                >
                  Skip…
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}
