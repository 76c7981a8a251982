/** The attempts of a run on one axis: each is a bar, and the wait between two is a dotted line. */
import type { AttemptJson, RunJson } from 'carillon/client';
import { lengthText, momentText } from '../time/text.ts';
import { withLengths } from '../time/with-lengths.ts';
import { familyOf, lookOfRun } from '../verdict/verdict.ts';
import type { TextPlace } from './attempts.ts';
import { attemptsOf, axisOf, textPlaceOf, ticksOf } from './attempts.ts';
import { headlineOf } from './failure-text.ts';

interface AttemptsProps {
  readonly run: RunJson;
  readonly attempts: readonly AttemptJson[];
  readonly zone: string;
  readonly now: number;
}

export function Attempts({ run, attempts: answers, zone, now }: AttemptsProps) {
  const attempts = attemptsOf(answers);
  const [first] = attempts;
  if (first === undefined) {
    return run.attempt === 0 ? (
      <p className="body t3">
        {run.state === 'done'
          ? 'No worker began it.'
          : `No worker has begun it. It waits since ${momentText(zone, Date.parse(run.createdAt), now)}.`}
      </p>
    ) : (
      <div className="h-16" />
    );
  }
  const due = run.dueAt === null || run.cause !== 'auto' ? null : Date.parse(run.dueAt);
  const axis = axisOf(attempts, due, now);
  const { from, to } = axis;
  const left = (at: number) => percent((at - from) / (to - from));
  return (
    <div className="attempts">
      <div className="relative mb-2 h-4 text-label text-text-3" aria-hidden="true">
        {ticksOf(axis, zone).map(({ at, text, isFine }) => (
          <span
            key={at}
            className={`absolute -translate-x-1/2 whitespace-nowrap ${isFine ? 'roomy' : ''}`}
            style={{ left: left(at) }}
          >
            {text}
          </span>
        ))}
      </div>
      <ol>
        {attempts.map((attempt) => {
          const end = attempt.to ?? now;
          const isStopped = run.outcome === 'cancelled' || run.outcome === 'terminated';
          const isFailed = attempt.error !== null && !(isStopped && attempt.number === run.attempt);
          const look = isFailed ? 'failed' : lookOfRun(run);
          const took = lengthText(end - attempt.from);
          const text = isFailed
            ? `${withLengths(headlineOf(attempt.error ?? ''))}, after ${took}`
            : `${attempt.to === null ? 'going for' : 'took'} ${took}`;
          // The time until its first attempt is drawn like the wait for another one.
          const waitedMs = attempt === first ? first.from - from : attempt.waitedMs;
          return (
            <li key={attempt.number}>
              <span className="who">
                Attempt {attempt.number}
                <span className="micro block font-normal">{attempt.worker}</span>
              </span>
              <span className="track">
                {waitedMs > 0 && (
                  <span
                    className="wait"
                    title={`waited ${lengthText(waitedMs)}`}
                    style={{
                      left: left(attempt.from - waitedMs),
                      width: percent(waitedMs / (to - from)),
                    }}
                  />
                )}
                <span
                  className={`attempt f-${familyOf(look)} ${isFailed ? 'failed' : ''}`}
                  style={{
                    left: `min(${left(attempt.from)}, calc(100% - 4px))`,
                    width: `max(4px, ${percent((end - attempt.from) / (to - from))})`,
                  }}
                />
                <span
                  className={`attempt-text f-${familyOf(look)}`}
                  title={text}
                  style={styleOf(textPlaceOf(axis, attempt.from, end))}
                >
                  <bdi>{text}</bdi>
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function percent(share: number): string {
  return `${100 * share}%`;
}

function styleOf(place: TextPlace) {
  const maxWidth = `calc(${percent(place.most)} - 12px)`;
  return place.side === 'before'
    ? { right: `calc(${percent(place.right)} + 6px)`, maxWidth }
    : { left: `calc(${percent(place.left)} + 6px)`, maxWidth };
}
