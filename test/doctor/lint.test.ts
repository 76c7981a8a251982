import { describe, expect, test } from 'vitest';
import { day, hour, instant, minute } from '../../packages/carillon/src/base/time.ts';
import type { LintCode, LintSubject } from '../../packages/carillon/src/doctor/lint/finding.ts';
import { lintRules } from '../../packages/carillon/src/doctor/lint/finding.ts';
import { invalidFindings, lintOne, lintSubjects } from '../../packages/carillon/src/doctor/lint/lint.ts';
import { timedAction } from '../../packages/carillon/src/doctor/lint/lint-action.ts';
import { defaultPolicy, unlimitedWindow } from '../../packages/carillon/src/scheduler/definition.ts';
import type { Dialect } from '../../packages/carillon/src/spec/index.ts';

const now = instant(Date.UTC(2026, 10, 16, 6));

const codesOf = (subject: LintSubject) => lintOne(subject, now).map(({ code }) => code);

function cron(
  text: string,
  zone: string | undefined = 'UTC',
  dialect: Dialect = 'unix',
): readonly LintCode[] {
  return codesOf({ name: text, spec: { cron: [{ text, dialect }], ...(zone === '' ? {} : { zone }) } });
}

/** Which rule each text must, and must not, meet. */
const table: readonly (readonly [text: string, code: LintCode, good: string])[] = [
  ['0 0 30 2 *', 'never-fires', '0 0 28 2 *'],
  ['5 4 30 1,2 *', 'unreachable-date', '5 4 28 1,2 *'],
  ['5 4 31 * *', 'short-months', '5 4 L * *'],
  ['5 4 29 2 *', 'leap-day', '5 4 28 2 *'],
  ['5 4 13 * 5', 'day-either', '5 4 * * 5'],
  ['5 4 */2 * mon', 'day-star', '5 4 */2 * *'],
  ['*/7 * * * *', 'uneven-step', '*/6 * * * *'],
  ['5 */5 * * *', 'uneven-step', '5 */4 * * *'],
  ['5 4 1 */5 *', 'uneven-step', '5 4 1 */4 *'],
  ['5 4 */3 * *', 'month-step', '5 4 3 * *'],
  ['* 9 * * *', 'minute-star', '0 9 * * *'],
  ['* 5 9 * * *', 'minute-star', '0 5 9 * * *'],
  ['0 5 9 ? * 2', 'weekday-base', '0 5 9 ? * MON'],
  ['*/5 * * * * *', 'too-frequent', '*/15 * * * * *'],
  ['0 0 * * *', 'top-of-hour', '17 0 * * *'],
  ['@hourly', 'top-of-hour', '17 * * * *'],
];

test('a spec whose times cannot be found is named as such, and nothing else is said of it', () => {
  const exclude = { cron: [{ text: '*/2 * * * * *' }, { text: '1-59/2 * * * * *' }] };
  expect(codesOf({ name: 'x', spec: { intervals: [{ everyMs: 1000 }], exclude } })).toEqual(['unsearchable']);
});

describe('rules about one text', () => {
  test.each(table)('%s meets %s, %s does not', (text, code, good) => {
    expect(cron(text)).toContain(code);
    expect(cron(good)).not.toContain(code);
  });

  test('day of month and day of week are joined by AND in the other dialects', () => {
    expect(cron('5 4 13 * 5', 'UTC', 'temporal')).toContain('day-both');
    expect(cron('0 5 4 13 * 5', 'UTC', 'spring')).toContain('day-both');
    expect(cron('5 4 13 * 5', 'UTC', 'temporal')).not.toContain('day-either');
  });

  test('an hour of the day wants a zone, a beat does not', () => {
    expect(cron('5 9 * * *', '')).toContain('zone-missing');
    expect(cron('CRON_TZ=Asia/Tokyo 5 9 * * *', '')).not.toContain('zone-missing');
    expect(cron('*/10 * * * *', '')).not.toContain('zone-missing');
    expect(codesOf({ name: 'x', spec: { calendars: [{ hour: '9' }] } })).toContain('zone-missing');
  });

  test('what a change of the clock does depends on the rules of the spec', () => {
    const york = 'America/New_York';
    expect(cron('30 2 * * *', york)).toContain('dst-shift');
    expect(cron('30 1 * * *', york)).toContain('dst-fold');
    const literal = { zone: york, dst: { gap: 'skip', fold: 'both' } } as const;
    expect(codesOf({ name: 'x', spec: { cron: [{ text: '30 2 * * *' }], ...literal } })).toContain(
      'dst-skip',
    );
    expect(codesOf({ name: 'x', spec: { cron: [{ text: '30 1 * * *' }], ...literal } })).toContain(
      'dst-double',
    );
    expect(cron('30 4 * * *', york).filter((code) => code.startsWith('dst'))).toEqual([]);
    expect(cron('*/15 * * * *', york).filter((code) => code.startsWith('dst'))).toEqual([]);
  });

  test('times that run out are distinguished from times that never existed', () => {
    const [only] = lintOne({ name: 'x', spec: { times: [instant(now - day)] } }, now);
    expect(only).toMatchObject({ code: 'never-fires', message: 'all its times have passed' });
    const ended = { cron: [{ text: '5 * * * *' }], endAt: instant(now - day) };
    expect(lintOne({ name: 'x', spec: ended }, now)[0]?.message).toMatch(/^ended at 2026-11-15/);
    const once = { cron: [{ text: '5 * * * *' }], endAt: instant(now + hour) };
    expect(codesOf({ name: 'x', spec: once })).toContain('fires-once');
    expect(codesOf({ name: 'x', spec: { times: [instant(now + hour)] } })).toEqual([]);
    expect(codesOf({ name: 'manual', spec: { zone: 'UTC' } })).toEqual([]);
  });

  test('a good schedule has nothing to be said about it', () => {
    expect(cron('17 4 * * 1-5', 'Asia/Tokyo')).toEqual([]);
  });

  test('what cannot be read names the dialect that can', () => {
    const problems = [{ path: '', reason: 'X', message: 'no' }];
    const [found] = invalidFindings({ name: 'x' }, problems, { text: '0 0 L * *', dialect: 'temporal' });
    expect(found).toMatchObject({ code: 'invalid', severity: 'error', fix: 'the unix dialect can read it' });
  });
});

describe('rules about policies', () => {
  const spec = { intervals: [{ everyMs: 10 * minute, phaseMs: 7000 }] };
  const action = { kind: 'run', queue: 'q', name: 'work', input: null, settings: { executionTimeoutMs: 1 } };
  const subject = (fields: Partial<LintSubject>): LintSubject => ({
    name: 'x',
    spec,
    policy: defaultPolicy,
    action,
    ...fields,
  });

  test('runs longer than the interval, with what then happens', () => {
    expect(codesOf(subject({ slowRunMs: 9 * minute }))).toEqual([]);
    const [risk] = lintOne(subject({ slowRunMs: 11 * minute }), now);
    expect(risk).toMatchObject({ code: 'overlap-risk', severity: 'warning' });
    expect(risk?.message).toContain('the slots in between are skipped');
    // Two at once is what a limit of two is for.
    expect(codesOf(subject({ slowRunMs: 11 * minute, policy: { ...defaultPolicy, limit: 2 } }))).toEqual([]);
  });

  test('a window shorter than the interval, and one that floods', () => {
    const daily = { cron: [{ text: '17 4 * * *' }], zone: 'Asia/Tokyo' };
    expect(codesOf(subject({ spec: daily }))).toEqual(['catchup-short']);
    expect(codesOf(subject({ spec: daily, policy: { ...defaultPolicy, catchupWindowMs: day } }))).toEqual([]);
    const greedy = { ...defaultPolicy, overlap: 'allowAll', catchupWindowMs: 30 * day } as const;
    expect(codesOf(subject({ policy: greedy }))).toEqual(['catchup-flood']);
    expect(codesOf(subject({ policy: { ...greedy, missed: 'latest' } }))).toEqual([]);
    const [endless] = lintOne(subject({ policy: { ...greedy, catchupWindowMs: unlimitedWindow } }), now);
    expect(endless?.message).toBe('a long outage is made up for by every missed run, however many there are');
  });

  test('no timeout where a hanging run blocks the others', () => {
    const untimed = { ...action, settings: {} };
    expect(codesOf(subject({ action: untimed }))).toEqual(['no-timeout']);
    expect(codesOf(subject({ action: untimed, policy: { ...defaultPolicy, overlap: 'allowAll' } }))).toEqual(
      [],
    );
    const command = { ...untimed, kind: 'command', input: { argv: ['x'], timeout: '1m' } };
    expect(codesOf(subject({ action: timedAction(command) }))).toEqual([]);
  });

  test('a jitter as long as the interval', () => {
    expect(codesOf(subject({ spec: { ...spec, jitterMs: 10 * minute } }))).toEqual(['jitter-clipped']);
  });
});

describe('rules about many schedules', () => {
  const at = (name: string, text: string, input: unknown = null): LintSubject => ({
    name,
    spec: { cron: [{ text }], zone: 'UTC' },
    action: { kind: 'run', queue: 'q', name: 'work', input, settings: {} },
  });
  const fleet = (subjects: readonly LintSubject[]) =>
    lintSubjects(subjects, now).filter(({ code }) => code === 'duplicate' || code === 'herd');

  test('the same work at the same times, however it is written', () => {
    const found = fleet([at('a', '17 4 * * 1-5'), at('b', '17 4 * * mon-fri'), at('c', '17 4 * * 1-5', 1)]);
    expect(found).toMatchObject([
      { code: 'duplicate', subject: 'b', message: expect.stringContaining("'a'") },
    ]);
  });

  test('ten in one second are a herd, nine or spread ones are not', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => at(`s${index}`, '17 4 * * *', index));
    expect(fleet(many(9))).toEqual([]);
    expect(fleet(many(10))).toMatchObject([
      { code: 'herd', message: expect.stringContaining('10 schedules') },
    ]);
    const spread = many(10).map((each) => ({ ...each, spec: { ...each.spec, jitterMs: 1000 } }));
    expect(fleet(spread)).toEqual([]);
  });
});

test('every rule is met by some test, or is about input that cannot be read', async () => {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(new URL(import.meta.url), 'utf8');
  expect(Object.keys(lintRules).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});
