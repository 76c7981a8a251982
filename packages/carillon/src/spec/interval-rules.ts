/** The rules of intervals, with Temporal's messages. */
import type { Problem } from '../base/error.ts';
import { maxDurationMs, minIntervalMs } from './limits.ts';
import type { Interval } from './model.ts';
import { problem } from './parsed.ts';

/** Checked before fractions of a second are cut off, as in Temporal. */
export function intervalProblems({ everyMs, phaseMs = 0 }: Interval): Problem[] {
  if (!(everyMs >= minIntervalMs)) {
    return [problem('everyMs', 'TOO_SMALL', 'interval is too small', 'write at least 1000 (one second)')];
  }
  const problems: Problem[] = [];
  if (everyMs > maxDurationMs) {
    problems.push(
      problem(
        'everyMs',
        'TOO_LARGE',
        'interval is longer than 10,000 years',
        `write at most ${maxDurationMs}`,
      ),
    );
  }
  if (phaseMs < 0)
    problems.push(problem('phaseMs', 'NEGATIVE', 'phase is negative', `add everyMs: ${phaseMs + everyMs}`));
  else if (!(phaseMs < everyMs)) {
    const fix = `write the rest of the division: ${phaseMs % everyMs}`;
    problems.push(problem('phaseMs', 'TOO_LARGE', 'phase cannot be greater than Interval', fix));
  }
  return problems;
}
