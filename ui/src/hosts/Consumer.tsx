import type { HostJson } from 'carillon/client';
import { useLinks } from '../app/links.ts';
import { Go } from '../parts/Go.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Mark } from '../verdict/Mark.tsx';
import type { Family, Look } from '../verdict/verdict.ts';
import { blockText, consumerText, hasUntakenRun, lineOf, phaseWord } from './host.ts';
import type { MemberProps } from './Producer.tsx';
import { Foot } from './Producer.tsx';
import type { Answer } from './question.ts';

interface ConsumerProps extends MemberProps {
  readonly consumer: HostJson['consumers'][number];
}

interface Shown {
  readonly look: Look | undefined;
  readonly word: string;
  readonly family?: Family;
  readonly box: string;
}

function shownOf(
  { name, state }: ConsumerProps['consumer'],
  { work, block }: HostJson,
  { isUncertain, isUntaken }: { readonly isUncertain: boolean; readonly isUntaken: boolean },
  line: readonly string[],
): Shown {
  if (isUncertain) return { look: 'failed', word: 'Unknown', family: 'fail', box: 'bad' };
  switch (state) {
    case 'running':
      if (isUntaken) return { look: 'untaken', word: 'Waits for a node', family: 'fail', box: '' };
      if (block !== null) return { look: 'failed', word: 'Failed', family: 'fail', box: 'bad' };
      return {
        look: work?.runId === null ? 'buffered' : 'running',
        word: phaseWord(work),
        family: 'busy',
        box: 'act',
      };
    case 'ready':
      return { look: 'buffered', word: line[0] === name ? 'Next' : 'Waits', family: 'busy', box: '' };
    case 'sleeping':
      return { look: undefined, word: 'Asleep', box: 'asleep' };
    default:
      return { look: 'notYet', word: 'Idle', box: '' };
  }
}

export function Consumer({ host, consumer, now, mayChange, ask }: ConsumerProps) {
  const { name, state, subscribe, last } = consumer;
  const isUncertain = host.block?.kind === 'uncertain' && host.work?.handler === name;
  const line = lineOf(host);
  const isUntaken = state === 'running' && hasUntakenRun(host, now);
  const { look, word, family, box } = shownOf(consumer, host, { isUncertain, isUntaken }, line);
  const halt = host.block !== null ? host.block.kind : host.paused !== null ? 'paused' : undefined;
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
        {consumerText(consumer, host.work, now, { isBlocked: isUncertain, isUntaken, line, halt })}
      </p>
      <div className="micro narrow-only">from {subscribe.join(', ')}</div>
      {isUncertain && mayChange && <Answers host={host} ask={ask} />}
      <Foot last={last} now={now} isTold={isUncertain}>
        {mayChange && !isUncertain && (
          <button
            type="button"
            className="btn small"
            aria-label={`${state === 'sleeping' ? 'Wake' : 'Trigger'} ${name}`}
            onClick={() =>
              ask({ verb: 'trigger', handler: { consumer: name }, isAsleep: state === 'sleeping' })
            }
          >
            {state === 'sleeping' ? 'Wake…' : 'Trigger…'}
          </button>
        )}
      </Foot>
    </article>
  );
}

const answers: readonly (readonly [Answer, string])[] = [
  ['happened', 'It happened…'],
  ['didNotHappen', 'It did not happen…'],
  ['tryAgain', 'Ask again…'],
  ['skip', 'Skip it…'],
];

/** The answers to a change whose outcome is not known. Only a change that can be asked about is asked about again. */
function Answers({ host, ask }: Pick<ConsumerProps, 'host' | 'ask'>) {
  const links = useLinks();
  const attempt = host.work?.runId ?? host.work?.previousRunId;
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2">
      {answers
        .filter(([action]) => action !== 'tryAgain' || host.work?.change?.canReconcile === true)
        .map(([action, text]) => (
          <button key={action} type="button" className="btn" onClick={() => ask({ verb: 'resolve', action })}>
            {text}
          </button>
        ))}
      {attempt != null && (
        <Go className="text-link" to={links.run(attempt)}>
          See the attempt
        </Go>
      )}
    </div>
  );
}
