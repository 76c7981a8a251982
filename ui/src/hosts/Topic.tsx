import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HostEventJson, HostJson } from 'carillon/client';
import { useState } from 'react';
import { useScope } from '../data/api.ts';
import { countText } from '../time/text.ts';
import { depthOf, payloadText, topicText } from './host.ts';
import type { MemberProps } from './Producer.tsx';
import { Why } from './Why.tsx';

interface TopicProps extends MemberProps {
  readonly topic: HostJson['topics'][number];
}

/** How many events are listed at first, and at each press of the button. */
const fewEvents = 10;
const manyEvents = 100;

export function Topic({ host, topic, now, mayChange, ask }: TopicProps) {
  const { api, namespace } = useScope();
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(fewEvents);
  const { name, pending, reserved, stale, orphaned } = topic;
  const events = useQuery({
    queryKey: [namespace, 'host', host.id, 'events', name, most],
    queryFn: async () =>
      await api.hosts.events(host.id, name, { state: ['pending', 'reserved'], limit: most }),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  }).data;
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
      {pending + reserved > 0 && (
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
          {events?.items.map((event) => (
            <Event
              key={event.id}
              event={event}
              id={host.id}
              onSkip={mayChange ? () => ask({ verb: 'skipEvent', topic: name, event: event.id }) : undefined}
            />
          ))}
        </ul>
      )}
      {isOpen && events != null && events.next !== null && (
        <button type="button" className="link text-second" onClick={() => setMost(most + manyEvents)}>
          Show more of {countText(pending + reserved)}
        </button>
      )}
    </article>
  );
}

interface EventProps {
  readonly event: HostEventJson;
  readonly id: string;
  /** Absent when the key may not skip events. */
  readonly onSkip: (() => void) | undefined;
}

/** An event that waits or is taken by a run: what it carries and why it is still there when its name is pressed. */
function Event({ event, id, onSkip }: EventProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className="flex items-center justify-between gap-2 py-0.5">
        <button
          type="button"
          className="flex min-w-0 items-center gap-2"
          aria-expanded={isOpen}
          title="What it carries, and why it waits"
          onClick={() => setOpen(!isOpen)}
        >
          <code className="truncate">{event.id}</code>
          {event.state === 'reserved' && <span className="tag">taken</span>}
        </button>
        {onSkip !== undefined && (
          <button type="button" className="btn small" aria-label={`Skip ${event.id}`} onClick={onSkip}>
            Skip…
          </button>
        )}
      </div>
      {isOpen && (
        <>
          <code className="micro block break-all">{payloadText(event.payload)}</code>
          <Why id={id} question={{ topic: event.topic, event: event.id }} />
        </>
      )}
    </li>
  );
}
