/** Specs whose times no search can find: every check reports it, within a bound of work that all its searches share. */
import { expect, test } from 'vitest';
import { day, instant } from '../../packages/carillon/src/base/time.ts';
import { nextRows } from '../../packages/carillon/src/cli/next-rows.ts';
import { knownZone } from '../../packages/carillon/src/cli/next-spec.ts';
import { lintOne, lintSubjects } from '../../packages/carillon/src/doctor/lint/lint.ts';
import { defaultKept, verifyLedger } from '../../packages/carillon/src/doctor/verify.ts';
import { nextAfter } from '../../packages/carillon/src/host/due-times.ts';
import { dstReport } from '../../packages/carillon/src/spec/dst-report.ts';
import type { ScheduleSpec } from '../../packages/carillon/src/spec/index.ts';
import { budgetOf, compileSpec, defaultUnits, unitsPerTurn } from '../../packages/carillon/src/spec/index.ts';

const now = instant(Date.UTC(2026, 10, 18));
const zone = 'Europe/Berlin';
/** Left out second by second, so that no stretch can be passed in one step. */
const halves = [
  { second: '*/2', minute: '*', hour: '*' },
  { second: '1-59/2', minute: '*', hour: '*' },
];
const never = 'DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30';

const hostile: Readonly<Record<string, ScheduleSpec>> = {
  'an interval of which nothing is left': {
    intervals: [{ everyMs: 1000 }],
    exclude: { calendars: halves },
  },
  'with a rule that never matches, in a zone': {
    calendars: [{ second: '*', minute: '*', hour: '*' }],
    rrules: [{ text: never }],
    exclude: { calendars: halves },
    zone,
  },
};
const hard = hostile['with a rule that never matches, in a zone'] as ScheduleSpec;

test.each(Object.entries(hostile))('%s: lint, dst, next and verify give up and say so', (_, spec) => {
  const [finding, ...others] = lintOne({ name: 'x', spec }, now);
  expect([finding?.code, others]).toEqual(['unsearchable', []]);
  const { rows, gaveUpAt } = nextRows({ spec, zone: knownZone('UTC'), after: now, count: 10 });
  expect([rows, gaveUpAt === undefined]).toEqual([[], false]);
  const version = { at: now, spec, seed: '', timeZoneVersion: '', paused: null };
  const verified = verifyLedger({
    now: instant(now + 300 * day),
    createdAt: now,
    closedAt: null,
    cursor: instant(now + 300 * day),
    waiting: [],
    versions: [version, { ...version, at: instant(now + day) }],
    slots: [],
    runs: [],
    kept: { ...defaultKept, ledgerMs: 400 * day },
    isLive: false,
  });
  expect(verified.findings.map(({ kind }) => kind)).toEqual(['unsearchable']);
  if (spec.zone === undefined) return;
  const report = () => dstReport(spec, { from: now, to: instant(now + 1000 * day), budget: budgetOf(5000) });
  expect(report).toThrow('gave up');
});

test('all searches about one schedule share one budget', () => {
  const spec = hard;
  const budget = budgetOf(50_000);
  expect(lintOne({ name: 'x', spec }, now, budget).map(({ code }) => code)).toEqual(['unsearchable']);
  expect(budget.left).toBeLessThan(10);
  // A fleet spends each schedule's own budget, also on what its members do together.
  const healthy = { cron: [{ text: '5 4 * * *' }], zone };
  const found = lintSubjects(
    [
      { name: 'bad', spec },
      { name: 'good', spec: healthy },
    ],
    now,
  );
  expect(found.filter(({ code }) => code === 'unsearchable').map(({ subject }) => subject)).toEqual(['bad']);
});

test('a search inside a process with other work costs at most a twentieth of that', () => {
  expect(unitsPerTurn * 20).toBeLessThanOrEqual(defaultUnits);
  const compiled = compileSpec(hard);
  const budget = budgetOf(unitsPerTurn);
  expect(compiled.search(now, { budget }).kind).toBe('unfinished');
  expect(budget.left).toBeLessThan(10);
  const text = JSON.stringify({ cron: '0 0 30 2 *' });
  expect(nextAfter({ text, anchor: now }, now)).toBeNull();
});
