import type { HostJson } from 'carillon/client';
import { useState } from 'react';
import { useLinks } from '../app/links.ts';
import { useScope } from '../data/api.ts';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Mark } from '../verdict/Mark.tsx';
import type { Family, Look } from '../verdict/verdict.ts';
import type { HostVerb } from './HostAsk.tsx';
import { HostAsk } from './HostAsk.tsx';
import { blockText, consumerText } from './host.ts';
import type { MemberProps } from './Producer.tsx';
import { Foot } from './Producer.tsx';

interface ConsumerProps extends MemberProps {
  readonly consumer: HostJson['consumers'][number];
}

interface Shown {
  readonly look: Look | undefined;
  readonly word: string;
  readonly family?: Family;
  readonly box: string;
}

function shownOf({ state }: ConsumerProps['consumer'], { work }: HostJson, isUncertain: boolean): Shown {
  if (isUncertain) return { look: 'failed', word: 'Unknown', family: 'fail', box: 'bad' };
  switch (state) {
    case 'running':
      return work?.runId === null
        ? { look: 'buffered', word: 'Tries again', family: 'busy', box: 'act' }
        : { look: 'running', word: 'Running', family: 'busy', box: 'act' };
    case 'ready':
      return { look: 'buffered', word: 'Next', family: 'busy', box: '' };
    case 'sleeping':
      return { look: undefined, word: 'Asleep', box: 'asleep' };
    default:
      return { look: 'notYet', word: 'Idle', box: '' };
  }
}

export function Consumer({ host, consumer, now, mayChange, act }: ConsumerProps) {
  const { api } = useScope();
  const { name, state, subscribe, last } = consumer;
  const isUncertain = host.block?.kind === 'uncertain' && host.work?.handler === name;
  const { look, word, family, box } = shownOf(consumer, host, isUncertain);
  return (
    <article className={`member ${box}`} data-box={`consumer ${name}`}>
      <div className="flex justify-between gap-2">
        <b className="font-semibold">{name}</b>
        <span className={`flex items-center gap-1.5 ${family === undefined ? 't2' : `ct f-${family}`}`}>
          {look === undefined ? <Icon name="asleep" /> : <Mark look={look} />}
          {word}
        </span>
      </div>
      <p className="t2 text-second">
        {isUncertain && `${blockText(host.block?.message ?? '')} `}
        {consumerText(consumer, host.work, now, isUncertain)}
      </p>
      <div className="micro narrow-only">from {subscribe.join(', ')}</div>
      {isUncertain && mayChange && <Answers host={host} act={act} />}
      {!isUncertain && (
        <Foot last={last} now={now}>
          {mayChange && (
            <button
              type="button"
              className="btn small"
              aria-label={`${state === 'sleeping' ? 'Wake' : 'Trigger'} ${name}`}
              onClick={() =>
                void act(`Triggered ${name}`, () => api.hosts.trigger(host.id, { consumer: name }))
              }
            >
              {state === 'sleeping' ? 'Wake' : 'Trigger'}
            </button>
          )}
        </Foot>
      )}
    </article>
  );
}

const answers: readonly (readonly [HostVerb, string])[] = [
  ['happened', 'It happened…'],
  ['didNotHappen', 'It did not happen…'],
  ['tryAgain', 'Ask again…'],
  ['skip', 'Skip it…'],
];

/** The answers to a change whose outcome is not known. Only a change that can be asked about is asked about again. */
function Answers({ host, act }: Pick<ConsumerProps, 'host' | 'act'>) {
  const links = useLinks();
  const [asked, setAsked] = useState<HostVerb>();
  const attempt = host.work?.runId ?? host.work?.previousRunId;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {answers
        .filter(([verb]) => verb !== 'tryAgain' || host.work?.change?.canReconcile === true)
        .map(([verb, text]) => (
          <button key={verb} type="button" className="btn" onClick={() => setAsked(verb)}>
            {text}
          </button>
        ))}
      {attempt != null && (
        <Go className="text-link" to={links.run(attempt)}>
          See the attempt
        </Go>
      )}
      {asked !== undefined && (
        <HostAsk id={host.id} verb={asked} act={act} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}
