import { describe, expect, it } from 'vitest';
import { ServiceError } from '../base/error.ts';
import { formatInstant, type Instant, instant } from '../base/time.ts';
import { budgetOf, defaultUnits } from './budget.ts';
import { compileSpec } from './compile.ts';
import { budgetReason } from './compiled.ts';
import type { ScheduleSpec } from './model.ts';
import { timeZoneVersion } from './zone/zone.ts';

const at = (text: string): Instant => instant(Date.parse(text));
const hourly: ScheduleSpec = { intervals: [{ everyMs: 3_600_000 }] };
const everySecond = [{ text: '* * * * * *' }];
const next = (spec: ScheduleSpec, after: string) => {
  const found = compileSpec(spec).next(at(after));
  return found && formatInstant(found.nominal);
};

describe('sharing', () => {
  it('gives equal specs one compiled object', () => {
    const a = compileSpec({ cron: [{ text: '0 9 * * 1-5' }], zone: 'america/new_york' });
    const b = compileSpec({
      zone: 'America/New_York',
      calendars: [{ hour: '9', dayOfWeek: 'mon-fri' }],
      jitterMs: 0,
    });
    const c = compileSpec({
      cron: [{ text: '0  9 * * 1,2,3,4,5', dialect: 'unix', zone: 'America/New_York' }],
      zone: 'America/New_York',
    });
    expect(a).toBe(b);
    expect(a).toBe(c);
    expect(a.timeZoneVersion).toBe(timeZoneVersion());
  });

  it('throws every problem of a spec that is not valid', () => {
    const bad = { cron: [{ text: '61 * * * *' }], zone: 'Mars/Olympus' };
    expect(() => compileSpec(bad)).toThrow(ServiceError);
    try {
      compileSpec(bad);
    } catch (error) {
      expect((error as ServiceError).problems.map(({ path }) => path)).toEqual(['zone', 'cron[0].text']);
    }
  });
});

describe('bounds', () => {
  it('include both ends', () => {
    const spec = { ...hourly, startAt: at('2026-01-01T02:00:00Z'), endAt: at('2026-01-01T03:00:00Z') };
    const compiled = compileSpec(spec);
    const { times, truncated } = compiled.between(
      { from: at('2020-01-01T00:00:00Z'), to: at('2030-01-01T00:00:00Z') },
      10,
    );
    expect(times.map(({ nominal }) => formatInstant(nominal))).toEqual([
      '2026-01-01T02:00:00Z',
      '2026-01-01T03:00:00Z',
    ]);
    expect(truncated).toBe(false);
    expect(compiled.previous(at('2030-01-01T00:00:00Z'))?.nominal).toBe(spec.endAt);
    expect(compiled.previous(spec.startAt)).toBeUndefined();
    expect(compiled.matches(spec.startAt)).toBe(true);
    expect(compiled.matches(at('2026-01-01T04:00:00Z'))).toBe(false);
  });

  it('round a fraction of a second inwards', () => {
    expect(next({ ...hourly, startAt: at('2026-01-01T02:00:00.001Z') }, '2020-01-01T00:00:00Z')).toBe(
      '2026-01-01T03:00:00Z',
    );
    expect(
      next({ ...hourly, endAt: at('2026-01-01T01:59:59.999Z') }, '2026-01-01T01:00:00Z'),
    ).toBeUndefined();
  });

  it('never fire when the end comes first', () => {
    const spec = { ...hourly, startAt: at('2026-01-02T00:00:00Z'), endAt: at('2026-01-01T00:00:00Z') };
    expect(next(spec, '2020-01-01T00:00:00Z')).toBeUndefined();
  });

  it('take (from, to] of a window, and say when the limit cut it', () => {
    const compiled = compileSpec(hourly);
    const window = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T03:00:00Z') };
    expect(
      compiled.between(window, 3).times.map(({ nominal }) => formatInstant(nominal).slice(11, 13)),
    ).toEqual(['01', '02', '03']);
    expect(compiled.between(window, 3).truncated).toBe(false);
    expect(compiled.between(window, 2)).toMatchObject({ truncated: true });
    expect(compiled.between(window, 0)).toEqual({ times: [], truncated: true });
  });
});

describe('sources', () => {
  it('unite, and count a common time once', () => {
    const spec = {
      intervals: [{ everyMs: 7_200_000 }, { everyMs: 10_800_000 }],
      times: [at('2026-01-01T05:00:00Z'), at('2026-01-01T05:30:00.5Z')],
    };
    const { times } = compileSpec(spec).between(
      { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T06:00:00Z') },
      10,
    );
    expect(times.map(({ nominal }) => formatInstant(nominal).slice(11, 19))).toEqual([
      '02:00:00',
      '03:00:00',
      '04:00:00',
      '05:00:00',
      '05:30:01',
      '06:00:00',
    ]);
  });

  it('may each have a zone', () => {
    const spec: ScheduleSpec = {
      cron: [
        { text: '0 9 * * *' },
        { text: '0 9 * * *', zone: 'Asia/Tokyo' },
        { text: 'TZ=Europe/Berlin 0 9 * * *' },
      ],
      zone: 'America/New_York',
    };
    const { times } = compileSpec(spec).between(
      { from: at('2026-06-30T23:00:00Z'), to: at('2026-07-01T23:00:00Z') },
      10,
    );
    expect(times.map(({ nominal }) => formatInstant(nominal).slice(11, 16))).toEqual([
      '00:00',
      '07:00',
      '13:00',
    ]);
  });

  it('recur by RFC 5545 rules in the zone of the spec', () => {
    const spec = {
      rrules: [{ text: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0;BYSECOND=0' }],
      zone: 'Europe/Berlin',
    };
    expect(next(spec, '2026-06-02T00:00:00Z')).toBe('2026-06-08T07:00:00Z');
  });

  it('floor the division of an interval whose phase lies ahead', () => {
    const spec = { intervals: [{ everyMs: 3_153_600_000_000, phaseMs: 1_892_160_000_000 }] };
    expect(next(spec, '2022-03-23T11:00:00Z')).toBe('2029-12-17T00:00:00Z');
    expect(compileSpec(spec).next(at('2029-12-17T00:00:00Z'))).toBeUndefined();
  });
});

describe('exclusions', () => {
  it('drop whole local days', () => {
    const spec = {
      cron: [{ text: '0 9,23 * * *' }],
      zone: 'America/New_York',
      exclude: { dates: ['2026-12-25'] },
    };
    const { times } = compileSpec(spec).between(
      { from: at('2026-12-25T00:00:00Z'), to: at('2026-12-27T00:00:00Z') },
      10,
    );
    // 23:00 of the 24th is the 25th in UTC, and stays.
    expect(times.map(({ nominal }) => formatInstant(nominal))).toEqual([
      '2026-12-25T04:00:00Z',
      '2026-12-26T14:00:00Z',
    ]);
  });

  it('may be cron, in a zone of their own, or intervals', () => {
    const cron = { ...hourly, exclude: { cron: [{ text: '0 9-17 * * *', zone: 'Asia/Tokyo' }] } };
    expect(next(cron, '2026-01-01T00:00:00Z')).toBe('2026-01-01T09:00:00Z');
    const every = { ...hourly, exclude: { cron: [{ text: '@every 2h' }] } };
    expect(next(every, '2026-01-01T01:00:00Z')).toBe('2026-01-01T03:00:00Z');
  });
});

describe('jitter', () => {
  it('depends on the seed, not on the compiled object', () => {
    const compiled = compileSpec({ ...hourly, jitterMs: 3_600_000 });
    const nominal = at('2025-03-31T01:00:00Z');
    expect(compiled.jitterOf(nominal, 'ns-id-sched-id')).toBe(at('2025-03-31T01:45:08.235Z') - nominal);
    expect(compiled.next(instant(nominal - 1), { seed: 'ns-id-sched-id' })?.actual).toBe(
      at('2025-03-31T01:45:08.235Z'),
    );
    expect(compiled.jitterOf(nominal, 'other')).not.toBe(compiled.jitterOf(nominal, 'ns-id-sched-id'));
  });

  it('never reaches the next raw time', () => {
    const compiled = compileSpec({ cron: everySecond, jitterMs: 86_400_000 });
    for (let i = 0; i < 200; i++) expect(compiled.jitterOf(instant(i * 1000), 'x')).toBeLessThan(1000);
  });
});

describe('endings', () => {
  it.each<[string, ScheduleSpec]>([
    ['31 February', { cron: [{ text: '0 0 31 2 *' }], zone: 'America/New_York' }],
    ['31 February by Temporal', { cron: [{ text: '0 0 31 2 *', dialect: 'temporal' }], zone: 'Asia/Beirut' }],
    ['nothing at all', {}],
    ['a structured calendar without hours', { structuredCalendars: [{ second: [{}], minute: [{}] }] }],
    ['a past year', { cron: [{ text: '0 0 1 1 * 2001', dialect: 'temporal' }] }],
    [
      'the fifth week of a 28-day month',
      { cron: [{ text: '0 0 ? 2 1#5' }], startAt: at('2073-01-01T00:00:00Z') },
    ],
    [
      'a weekly interval that is always excluded',
      { intervals: [{ everyMs: 604_800_000 }], exclude: { cron: everySecond } },
    ],
  ])('%s has no next time', (_, spec) => {
    expect(compileSpec(spec).next(at('2026-01-01T00:00:00Z'))).toBeUndefined();
    const budget = budgetOf(defaultUnits);
    expect(compileSpec(spec).search(at('2026-01-01T00:00:00Z'), { budget })).toMatchObject({ kind: 'none' });
    expect(defaultUnits - budget.left).toBeLessThan(10_000);
  });

  it('the last second of 2100 is the last time', () => {
    const compiled = compileSpec({ cron: everySecond });
    const last = at('2100-12-31T23:59:59Z');
    expect(compiled.next(instant(last - 1))?.nominal).toBe(last);
    expect(compiled.next(last)).toBeUndefined();
    expect(compiled.next(at('2500-01-01T00:00:00Z'))).toBeUndefined();
    expect(compiled.previous(at('2500-01-01T00:00:00Z'))?.nominal).toBe(last);
    expect(compileSpec(hourly).previous(at('2500-01-01T00:00:00Z'))?.nominal).toBe(
      at('2100-12-31T23:00:00Z'),
    );
  });

  it('1970 is the first time', () => {
    const compiled = compileSpec({ cron: everySecond, zone: 'America/New_York' });
    expect(compiled.next(at('1900-01-01T00:00:00Z'))?.nominal).toBe(0);
    expect(compiled.previous(instant(0))).toBeUndefined();
    expect(compiled.previous(at('1900-01-01T00:00:00Z'))).toBeUndefined();
    expect(compileSpec(hourly).next(at('1900-01-01T00:00:00Z'))?.nominal).toBe(0);
  });

  it('giving up is distinguished from having no more times', () => {
    // Every second is named and every second is left out, by halves, so that no stretch can be passed in one step.
    const halves = [{ text: '*/2 * * * * *' }, { text: '1-59/2 * * * * *' }];
    const compiled = compileSpec({ cron: everySecond, exclude: { cron: halves } });
    const after = at('2026-01-01T00:00:00Z');
    // Per second one unit for the source and one or two for the exclusions.
    const result = compiled.search(after, { budget: budgetOf(2500) });
    expect(result).toEqual({ kind: 'unfinished', reached: at('2026-01-01T00:16:39Z') });
    for (const short of [
      () => compiled.next(after),
      () => compiled.previous(after),
      () => compiled.nextSecond(after / 1000),
    ]) {
      expect(short).toThrowError(expect.objectContaining({ reason: budgetReason }));
    }
    const window = { from: after, to: at('2027-01-01T00:00:00Z') };
    expect(compiled.between(window, 10, { budget: budgetOf(2500) })).toEqual({
      times: [],
      truncated: true,
      gaveUpAt: at('2026-01-01T00:16:39Z'),
    });
  });

  it('passes excluded hours and days in one step, and so proves that nothing is left', () => {
    const compiled = compileSpec({ cron: everySecond, exclude: { cron: everySecond } });
    expect(compiled.search(at('2026-01-01T00:00:00Z'), { budget: budgetOf(60_000) })).toEqual({
      kind: 'none',
    });
  });

  it('a window is searched no further than its end', () => {
    const compiled = compileSpec({ cron: everySecond, exclude: { cron: everySecond } });
    const window = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T00:00:10Z') };
    expect(compiled.between(window, 10)).toEqual({ times: [], truncated: false });
  });
});
