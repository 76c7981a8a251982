/** The attempts of a run on its axis. Pure. */
import type { AttemptJson } from 'carillon/client';
import { clockText, lengthText } from '../time/text.ts';
import { hourMs, minuteMs, offsetAt, secondMs } from '../time/zone.ts';

export interface Attempt {
  readonly number: number;
  readonly from: number;
  /** Null while it goes on. */
  readonly to: number | null;
  readonly error: string | null;
  readonly worker: string;
  /** How long the run waited before it, after the attempt before. */
  readonly waitedMs: number;
}

export function attemptsOf(answers: readonly AttemptJson[]): readonly Attempt[] {
  return answers.map(({ attempt, startedAt, finishedAt, error, worker }, index) => {
    const before = answers[index - 1]?.finishedAt ?? null;
    const from = Date.parse(startedAt);
    return {
      number: attempt,
      from,
      to: finishedAt === null ? null : Date.parse(finishedAt),
      error,
      worker: worker.split('/')[0] ?? '',
      waitedMs: before === null ? 0 : Math.max(0, from - Date.parse(before)),
    };
  });
}

const steps = [1, 2, 5, 10, 15, 30].flatMap((count) => [secondMs, minuteMs].map((unit) => count * unit));
const sizes = [...steps, hourMs, 2 * hourMs, 6 * hourMs, 24 * hourMs].sort((a, b) => a - b);

export interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Round moments of the zone; a run shorter than two seconds is told by what has passed. */
export function ticksOf(from: number, to: number, zone: string): readonly Tick[] {
  const span = to - from;
  if (span < 2 * secondMs) {
    return [0.25, 0.5, 0.75].map((share) => ({
      at: from + share * span,
      text: `+${lengthText(share * span)}`,
    }));
  }
  const step = sizes.find((size) => span / size <= 8) ?? Math.ceil(span / 8 / hourMs) * hourMs;
  const offset = offsetAt(zone, from);
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step)
    ticks.push({ at, text: clockText(zone, at) });
  return ticks;
}
