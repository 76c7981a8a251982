/** The linter of schedules: reports known pitfalls. Pure. */
import type { Problem } from '../../base/error.ts';
import type { Instant } from '../../base/time.ts';
import type { Dialect } from '../../spec/index.ts';
import { dialects, parseCron } from '../../spec/index.ts';
import type { LintFinding, LintSubject, Remark, Severity } from './finding.ts';
import { findingOf } from './finding.ts';
import { fleetFindings } from './fleet-rules.ts';
import { policyRemarks } from './policy-rules.ts';
import { textRemarks } from './text-rules.ts';
import { timeRemarks, timeStatisticsOf } from './time-rules.ts';

export function lintSubjects(subjects: readonly LintSubject[], now: Instant): readonly LintFinding[] {
  return [...subjects.flatMap((subject) => lintOne(subject, now)), ...fleetFindings(subjects, now)];
}

export function lintOne(subject: LintSubject, now: Instant): readonly LintFinding[] {
  const statistics = timeStatisticsOf(subject, now);
  const texts = (subject.spec.cron ?? []).flatMap(({ text, dialect = 'unix' }) =>
    textRemarks({ text, dialect }),
  );
  const times = timeRemarks(subject, statistics, now);
  // An impossible date is reported once, by its consequence.
  const isDead = times.some(({ code }) => code === 'never-fires');
  const shown: readonly Remark[] = isDead
    ? times
    : [...texts, ...times, ...policyRemarks(subject, statistics)];
  return shown
    .map((remark) => findingOf(subject, remark))
    .sort((a, b) => rank[a.severity] - rank[b.severity]);
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Findings about unreadable specs; a text of another dialect is recognised. */
export function invalidFindings(
  subject: Pick<LintSubject, 'name' | 'location'>,
  problems: readonly Problem[],
  cron?: { readonly text: string; readonly dialect: Dialect },
): readonly LintFinding[] {
  const others = cron === undefined ? [] : dialects.filter((each) => parseCron(cron.text, each).ok);
  return problems.map(({ path, message, fix }) => {
    const where = path === '' ? '' : `${path}: `;
    const other = others.length === 0 ? undefined : `the ${others.join(' and the ')} dialect can read it`;
    const help = [fix, other].filter((each) => each !== undefined).join('; ');
    return findingOf(subject, {
      code: 'invalid',
      message: `${where}${message}`,
      ...(help === '' ? {} : { fix: help }),
    });
  });
}
