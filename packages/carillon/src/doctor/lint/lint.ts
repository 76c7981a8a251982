/** The linter of schedules: reports known pitfalls. Pure. */
import { type Problem, ServiceError } from '../../base/error.ts';
import type { Instant } from '../../base/time.ts';
import type { Budget, Dialect } from '../../spec/index.ts';
import { budgetOf, defaultUnits, dialects, isBudgetExceeded, parseCron } from '../../spec/index.ts';
import type { LintFinding, LintSubject, Remark, Severity } from './finding.ts';
import { findingOf } from './finding.ts';
import { fleetFindings } from './fleet-rules.ts';
import { policyRemarks } from './policy-rules.ts';
import { textRemarks } from './text-rules.ts';
import { timeRemarks, timeStatisticsOf } from './time-rules.ts';

export function lintSubjects(subjects: readonly LintSubject[], now: Instant): readonly LintFinding[] {
  const budgets = new Map(subjects.map((subject) => [subject, budgetOf(defaultUnits)]));
  const budgetFor = (subject: LintSubject) => budgets.get(subject) ?? budgetOf(0);
  return [
    ...subjects.flatMap((subject) => lintOne(subject, now, budgetFor(subject))),
    ...fleetFindings(subjects, now, budgetFor),
  ];
}

/** The rules about one subject. All searches share the budget; when it ends, that is the finding. */
export function lintOne(
  subject: LintSubject,
  now: Instant,
  budget = budgetOf(defaultUnits),
): readonly LintFinding[] {
  try {
    return lintWithin(subject, now, budget);
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    const { message } = ServiceError.from(error);
    const fix = 'name the times that are wanted instead of excluding nearly all others, or use fewer rules';
    return [findingOf(subject, { code: 'unsearchable', message, fix })];
  }
}

function lintWithin(subject: LintSubject, now: Instant, budget: Budget): readonly LintFinding[] {
  const statistics = timeStatisticsOf(subject, now, budget);
  const texts = (subject.spec.cron ?? []).flatMap(({ text, dialect = 'unix' }) =>
    textRemarks({ text, dialect }),
  );
  const times = timeRemarks(subject, { statistics, now, budget });
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
