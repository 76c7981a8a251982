/** The attempts of a run on its axis. Pure. */
import type { AttemptJson } from 'carillon/client';
import { clockText, dayText, lengthText } from '../time/text.ts';
import { hourMs, minuteMs, offsetAt, secondMs, startOfDay } from '../time/zone.ts';

export interface Attempt {
  readonly number: number;
  readonly from: number;
  /** Null while the attempt has not ended. */
  readonly to: number | null;
  readonly error: string | null;
  readonly worker: string;
  /** How long the run waited between the previous attempt and this one. */
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

export interface Axis {
  readonly from: number;
  readonly to: number;
}

/**
 * The axis from the due time of a run to its end. If the run began later than it lasted, the axis begins with the first attempt,
 * because the bars would be too narrow otherwise; the head of the card says how late the run was.
 */
export function axisOf(attempts: readonly Attempt[], due: number | null, now: number): Axis {
  const first = attempts[0]?.from ?? now;
  const to = Math.max(first + secondMs, ...attempts.map((attempt) => attempt.to ?? now));
  const isNear = due !== null && due < first && first - due <= to - first;
  return { from: isNear ? due : first, to };
}

/** The place of a bar's text: behind, before or on the bar. All numbers are shares of the axis. */
export type TextPlace =
  | { readonly side: 'after' | 'on'; readonly left: number; readonly most: number }
  | { readonly side: 'before'; readonly right: number; readonly most: number };

/** A text beside a bar needs this share of the axis. */
const roomy = 0.4;

export function textPlaceOf({ from, to }: Axis, start: number, end: number): TextPlace {
  const [begins, ends] = [(start - from) / (to - from), (end - from) / (to - from)];
  if (1 - ends >= roomy) return { side: 'after', left: ends, most: 1 - ends };
  if (begins >= roomy) return { side: 'before', right: 1 - begins, most: begins };
  return { side: 'on', left: begins, most: ends - begins };
}

export interface Tick {
  readonly at: number;
  readonly text: string;
  /** Whether the tick is left out on a narrow axis. */
  readonly isFine: boolean;
}

/** The most ticks of a narrow axis. */
const mostNarrow = 4;
const shortSteps = [10, 20, 50, 100, 200, 250, 500];
/** The share at the end of the axis in which a label would leave the card. */
const edge = 0.05;

/** The ticks: round times of the zone, or for a run shorter than two seconds the time since its beginning. */
export function ticksOf({ from, to }: Axis, zone: string): readonly Tick[] {
  const span = to - from;
  if (span < 2 * secondMs) {
    const step = shortSteps.find((size) => span / size <= mostNarrow + 0.5) ?? secondMs;
    return Array.from({ length: Math.floor((span * (1 - edge)) / step) }, (_, place) => ({
      at: from + (place + 1) * step,
      text: `+${lengthText((place + 1) * step)}`,
      isFine: false,
    }));
  }
  const step = sizes.find((size) => span / size <= 8) ?? Math.ceil(span / 8 / hourMs) * hourMs;
  const offset = offsetAt(zone, from);
  const times: number[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to - edge * span; at += step)
    times.push(at);
  const every = Math.ceil(times.length / mostNarrow);
  return times.map((at, place) => ({ at, text: tickText(zone, at), isFine: place % every !== 0 }));
}

/** The label of a tick: the clock time, at midnight the new day. */
function tickText(zone: string, at: number): string {
  return at === startOfDay(zone, at) ? dayText(zone, at) : clockText(zone, at);
}
