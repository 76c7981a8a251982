/** Rules about several schedules together. */
import type { Instant } from '../../base/time.ts';
import { day, formatInstant } from '../../base/time.ts';
import { canonicalSpec, compileSpec } from '../../spec/index.ts';
import type { LintBudgets, LintFinding, LintSubject } from './finding.ts';
import { findingOf } from './finding.ts';

/** The number of schedules in one second that counts as a herd. */
const herd = 10;

/** The most times of one schedule that count towards herds: a day of half minutes. */
const mostTimes = 2880;

/** The most names before "and n more". */
const mostNames = 5;

export function fleetFindings(
  subjects: readonly LintSubject[],
  now: Instant,
  budgetFor: LintBudgets,
): readonly LintFinding[] {
  return [...duplicates(subjects), ...herds(subjects, now, budgetFor)];
}

function duplicates(subjects: readonly LintSubject[]): readonly LintFinding[] {
  const first = new Map<string, LintSubject>();
  const findings: LintFinding[] = [];
  for (const subject of subjects) {
    const { action, spec } = subject;
    if (action === undefined) continue;
    const { kind, queue, name, input } = action;
    const key = JSON.stringify([canonicalSpec(spec), kind, queue, name, input]);
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, subject);
      continue;
    }
    const message = `does the same at the same times as '${other.name}'`;
    findings.push(findingOf(subject, { code: 'duplicate', message, fix: 'remove one of them' }));
  }
  return findings;
}

function herds(
  subjects: readonly LintSubject[],
  now: Instant,
  budgetFor: LintBudgets,
): readonly LintFinding[] {
  const at = new Map<number, string[]>();
  for (const subject of subjects) {
    const { name, spec, seed } = subject;
    if ((spec.jitterMs ?? 0) > 0) continue;
    const compiled = compileSpec(spec, seed === undefined ? {} : { seed });
    const window = { from: now, to: (now + day) as Instant };
    for (const { nominal } of compiled.between(window, mostTimes, { budget: budgetFor(subject) }).times) {
      const names = at.get(nominal);
      if (names === undefined) at.set(nominal, [name]);
      else names.push(name);
    }
  }
  let peak: readonly [number, readonly string[]] | undefined;
  let crowded = 0;
  for (const [time, names] of at) {
    if (names.length < herd) continue;
    crowded += 1;
    if (peak === undefined || names.length > peak[1].length) peak = [time, names];
  }
  if (peak === undefined) return [];
  const [time, names] = peak;
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  const message = `${names.length} schedules start in one second, at ${formatInstant(time as Instant)} (${names.slice(0, mostNames).join(', ')}${more}); there are ${crowded} such seconds in the next day`;
  const fix = 'spread them: jitter: 5m, or H instead of 0 as the minute';
  return [findingOf({ name: '(all)' }, { code: 'herd', message, fix })];
}
