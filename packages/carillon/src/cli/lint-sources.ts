/** The sources that `lint` checks. */

import type { LintFinding, LintSubject, SourceLocation } from '../doctor/index.ts';
import {
  findingOf,
  importEntries,
  invalidFindings,
  lintAction,
  readCrontab,
  readManifest,
  timedAction,
} from '../doctor/index.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import { validateSpec } from '../spec/index.ts';
import type { Context } from './context.ts';
import { inParallel } from './in-parallel.ts';
import type { CheckedSubjects, LintOptions } from './lint.ts';
import { openLive, seedOf } from './live.ts';
import { Progress } from './progress.ts';
import { fileName, manifestParser, readText } from './read-text.ts';

export function expressionSubject(text: string, { zone, dialect }: LintOptions): CheckedSubjects {
  const name = text;
  const spec: ScheduleSpec = { cron: [{ text, dialect }], ...(zone === undefined ? {} : { zone }) };
  const checked = validateSpec(spec);
  if (checked.ok) return { subjects: [{ name, spec }], unread: [] };
  const problems = checked.problems.map((problem) => ({ ...problem, path: '' }));
  return { subjects: [], unread: invalidFindings({ name }, problems, { text, dialect }) };
}

export async function fileSubjects(
  context: Context,
  file: string,
  given: LintOptions,
): Promise<CheckedSubjects> {
  const text = await readText(context, file);
  const isManifest =
    /\.(ya?ml|json)$/i.test(file) || (file === '-' && /^\s*(\{|(owner|schedules)\s*:)/m.test(text));
  return isManifest && given.crontab !== true
    ? await manifestSubjects(context, text, file)
    : crontabSubjects(context, text, file, given);
}

async function manifestSubjects(context: Context, text: string, file: string): Promise<CheckedSubjects> {
  // The owner does not matter here.
  const read = readManifest(text, { owner: '(lint)', ...(await manifestParser(context)) });
  const at = (line: number): { readonly location: SourceLocation } => ({
    location: { file: fileName(file), line },
  });
  if (!read.ok) {
    const unread = read.problems.flatMap(({ line, path, ...problem }) => {
      const [name = '', ...rest] = path.split('.');
      return invalidFindings({ name: name === '' ? fileName(file) : name, ...at(line) }, [
        { ...problem, path: rest.join('.') },
      ]);
    });
    return { subjects: [], unread };
  }
  const subjects = read.manifests.flatMap(({ entries, namespace = 'default' }) =>
    entries.map(({ id, line, draft }) => ({
      name: id,
      spec: draft.spec,
      policy: draft.policy,
      action: timedAction(draft.action),
      seed: `${namespace}-${id}`,
      ...at(line),
    })),
  );
  return { subjects, unread: [] };
}

function crontabSubjects(context: Context, text: string, file: string, given: LintOptions): CheckedSubjects {
  const { entries, remarks } = readCrontab(text, { isSystem: given.system === true });
  const fallback = given.zone ?? context.zone ?? 'UTC';
  const imported = importEntries(entries, { zone: fallback, now: context.now, compare: 1 });
  const subjects: LintSubject[] = [];
  const unread: LintFinding[] = remarks
    .filter(({ level }) => level === 'error')
    .map(({ line, message }) =>
      findingOf(
        { name: `line ${line}`, location: { file: fileName(file), line } },
        { code: 'invalid', message },
      ),
    );
  for (const { id, line, schedule, input } of imported) {
    const location = { file: fileName(file), line };
    const spec: ScheduleSpec = { cron: [{ text: schedule }], zone: input.zone ?? fallback };
    const checked = validateSpec(spec);
    if (checked.ok) subjects.push({ name: id, spec, location, action: lintAction(input) });
    else unread.push(...invalidFindings({ name: id, location }, checked.problems));
  }
  return { subjects, unread };
}

/** The runs examined to learn their durations. */
const recentRuns = 50;

export async function liveSubjects(context: Context, given: LintOptions): Promise<CheckedSubjects> {
  const live = await openLive(context, given);
  try {
    const all = await live.all();
    const progress = new Progress(context, {
      label: 'reading runs',
      total: all.length,
      isSilent: given.json === true,
    });
    const subjects = await inParallel(
      all,
      async (each): Promise<LintSubject> => {
        const slow = slowRun(await live.runs(each.id, recentRuns));
        const { id, spec, policy, action } = each;
        return {
          name: id,
          spec,
          policy,
          action: timedAction({ ...action, input: action.input }),
          seed: seedOf(each),
          ...(slow === undefined ? {} : { slowRunMs: slow }),
        };
      },
      (done, { id }) => progress.at(done, id),
    );
    progress.end();
    return { subjects, unread: [] };
  } finally {
    await live.close();
  }
}

/** With fewer runs, the percentile is not meaningful. */
const fewestRuns = 5;

function slowRun(
  runs: readonly { readonly startedAt: number | null; readonly finishedAt: number | null }[],
): number | undefined {
  const took = runs
    .flatMap(({ startedAt, finishedAt }) =>
      startedAt === null || finishedAt === null ? [] : [finishedAt - startedAt],
    )
    .sort((a, b) => a - b);
  return took.length < fewestRuns
    ? undefined
    : took[Math.min(took.length - 1, Math.floor(took.length * 0.95))];
}
