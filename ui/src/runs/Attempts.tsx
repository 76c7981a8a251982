/** The attempts of a run on one axis: a bar each, the wait between them a dotted line. */
import type { RunJson } from 'carillon/client';
import { clockSecondsText, clockText, lengthText } from '../time/text.ts';
import { familyOf, lookOfRun } from '../verdict/verdict.ts';
import { attemptsOf } from './attempts.ts';

interface AttemptsProps {
  readonly run: RunJson;
  readonly zone: string;
  readonly now: number;
}

export function Attempts({ run, zone, now }: AttemptsProps) {
  const attempts = attemptsOf(run);
  const [first] = attempts;
  if (first === undefined) {
    return (
      <p className="body t3">
        No worker has begun it. It waits since {clockSecondsText(zone, Date.parse(run.createdAt))}.
      </p>
    );
  }
  const from = Math.min(first.from, run.scheduledAt === null ? first.from : Date.parse(run.scheduledAt));
  const to = Math.max(...attempts.map((attempt) => attempt.to ?? now), from + 1000);
  const left = (at: number) => `${(100 * (at - from)) / (to - from)}%`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => from + share * (to - from));
  const isShort = to - from < 5 * 60_000;
  return (
    <div className="px-4 pt-2 pb-4">
      <div className="relative mb-2 ml-24 h-4 text-label text-text-3" aria-hidden="true">
        {ticks.slice(0, -1).map((at) => (
          <span key={at} className="absolute" style={{ left: left(at) }}>
            {isShort ? clockSecondsText(zone, at) : clockText(zone, Math.floor(at / 60_000) * 60_000)}
          </span>
        ))}
      </div>
      <ol className="grid gap-1.5">
        {attempts.map((attempt) => {
          const end = attempt.to ?? now;
          const look = attempt.isFailed ? 'failed' : lookOfRun(run);
          const text = attempt.isFailed
            ? `${attempt.error ?? 'failed'}, after ${lengthText(end - attempt.from)}`
            : `${attempt.to === null ? 'going for' : 'took'} ${lengthText(end - attempt.from)}`;
          return (
            <li key={attempt.number} className="flex items-center">
              <span className="w-24 shrink-0 text-second font-medium">Attempt {attempt.number}</span>
              <span className="relative h-6 flex-1">
                <span
                  className={`attempt f-${familyOf(look)} ${attempt.isFailed ? 'failed' : ''}`}
                  style={{
                    left: left(attempt.from),
                    width: `max(4px, ${(100 * (end - attempt.from)) / (to - from)}%)`,
                  }}
                />
                <span
                  className={`attempt-text f-${familyOf(look)}`}
                  style={{ left: `min(calc(${left(attempt.from)} + 8px), 70%)` }}
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
