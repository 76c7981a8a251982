/** The attempts of a run on one axis: a bar each, the wait between them a dotted line. */
import type { AttemptJson, RunJson } from 'carillon/client';
import { clockSecondsText, lengthText } from '../time/text.ts';
import { familyOf, lookOfRun } from '../verdict/verdict.ts';
import { attemptsOf, ticksOf } from './attempts.ts';

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
        No worker has begun it. It waits since {clockSecondsText(zone, Date.parse(run.createdAt))}.
      </p>
    ) : (
      <div className="h-16" />
    );
  }
  const from = Math.min(first.from, run.scheduledAt === null ? first.from : Date.parse(run.scheduledAt));
  const to = Math.max(...attempts.map((attempt) => attempt.to ?? now), from + 1000);
  const left = (at: number) => `${(100 * (at - from)) / (to - from)}%`;
  return (
    <div className="attempts">
      <div className="relative mb-2 h-4 text-label text-text-3" aria-hidden="true">
        {ticksOf(from, to, zone).map(({ at, text }) => (
          <span key={at} className="absolute -translate-x-1/2 whitespace-nowrap" style={{ left: left(at) }}>
            {text}
          </span>
        ))}
      </div>
      <ol>
        {attempts.map((attempt) => {
          const end = attempt.to ?? now;
          const isFailed = attempt.error !== null;
          const look = isFailed ? 'failed' : lookOfRun(run);
          const took = lengthText(end - attempt.from);
          const text = isFailed
            ? `${attempt.error}, after ${took}`
            : `${attempt.to === null ? 'going for' : 'took'} ${took}`;
          return (
            <li key={attempt.number}>
              <span className="who">
                Attempt {attempt.number}
                <span className="micro block font-normal">{attempt.worker}</span>
              </span>
              <span className="track">
                {attempt.waitedMs > 0 && (
                  <span
                    className="wait"
                    title={`waited ${lengthText(attempt.waitedMs)}`}
                    style={{
                      left: left(attempt.from - attempt.waitedMs),
                      width: `${(100 * attempt.waitedMs) / (to - from)}%`,
                    }}
                  />
                )}
                <span
                  className={`attempt f-${familyOf(look)} ${isFailed ? 'failed' : ''}`}
                  style={{
                    left: left(attempt.from),
                    width: `max(4px, ${(100 * (end - attempt.from)) / (to - from)}%)`,
                  }}
                />
                <span
                  className={`attempt-text f-${familyOf(look)}`}
                  style={
                    (end - from) / (to - from) < 0.6
                      ? { left: `calc(${left(end)} + 4px)` }
                      : { right: `calc(${100 - (100 * (end - from)) / (to - from)}% + 8px)` }
                  }
                >
                  {text}
                </span>
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
