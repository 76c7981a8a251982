import type { HostJson } from 'carillon/client';
import { useScope } from '../data/api.ts';
import { Icon } from '../parts/Icon.tsx';
import { Mark } from '../verdict/Mark.tsx';
import { consumerText } from './host.ts';
import type { MemberProps } from './Producer.tsx';
import { LastRun } from './Producer.tsx';

interface ConsumerProps extends MemberProps {
  readonly consumer: HostJson['consumers'][number];
}

export function Consumer({ host, consumer, now, mayChange, act }: ConsumerProps) {
  const { api } = useScope();
  const { name, state, subscribe, last } = consumer;
  const isBlocked = host.block !== null && host.work?.handler === name;
  return (
    <article
      className={`member ${isBlocked ? 'bad' : state === 'running' ? 'act' : state === 'sleeping' ? 'asleep' : ''}`}
    >
      <div className="flex justify-between gap-2">
        <b className="font-semibold">{name}</b>
        <span className="t2 flex items-center gap-1.5">
          {state === 'sleeping' ? (
            <Icon name="asleep" />
          ) : (
            <Mark
              look={
                isBlocked
                  ? 'failed'
                  : state === 'running'
                    ? 'running'
                    : state === 'ready'
                      ? 'buffered'
                      : 'notYet'
              }
            />
          )}
          {isBlocked
            ? 'Unknown'
            : state === 'running'
              ? 'Running'
              : state === 'ready'
                ? 'Next'
                : state === 'sleeping'
                  ? 'Asleep'
                  : 'Idle'}
        </span>
      </div>
      <p className="t2 text-second">{consumerText(consumer, host.work, now, isBlocked)}</p>
      <div className="micro">from {subscribe.join(', ')}</div>
      {!isBlocked && <LastRun last={last} now={now} />}
      {mayChange && !isBlocked && (
        <button
          type="button"
          className="btn mt-1"
          onClick={() => void act(`Triggered ${name}`, () => api.hosts.trigger(host.id, { consumer: name }))}
        >
          {state === 'sleeping' ? 'Wake' : 'Trigger'}
        </button>
      )}
    </article>
  );
}
