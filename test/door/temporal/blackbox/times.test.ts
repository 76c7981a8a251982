/** When a schedule fires, asked through the wire and compared with known answers: zones, cron forms, exclusions, jitter. */
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import vectors from '../../../vectors/temporal-spec-vectors.json' with { type: 'json' };
import { GrpcStage } from '../grpc-stage.ts';
import { jitterOf } from './fingerprint.ts';
import {
  create,
  describeRaw,
  hourly,
  matchingTimes,
  namespace,
  refusal,
  type Spec,
  scheduleOf,
  seconds,
  timestamp,
} from './raw-schedules.ts';

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open();
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** The vectors hold proto JSON: durations end in `s`, times are texts. */
function fromJson(spec: Readonly<Record<string, unknown>>): Spec {
  const duration = (text: unknown) => {
    const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(String(text)) ?? [];
    const times = sign === '-' ? -1 : 1;
    return seconds(times * Number(whole), times * Number(fraction.padEnd(9, '0')));
  };
  const entries = Object.entries(spec).map(([name, value]) => {
    if (name === 'jitter') return [name, duration(value)];
    if (name === 'startTime' || name === 'endTime') return [name, timestamp(String(value))];
    if (name !== 'interval') return [name, value];
    const intervals = value as readonly { interval?: string; phase?: string }[];
    return [
      name,
      intervals.map(({ interval, phase }) => ({
        ...(interval === undefined ? {} : { interval: duration(interval) }),
        ...(phase === undefined ? {} : { phase: duration(phase) }),
      })),
    ];
  });
  return Object.fromEntries(entries) as Spec;
}

describe('daylight saving, by the documented rule in every zone', () => {
  test.each(vectors.derivedDst)('$name', async ({ name, spec, after, through, expectLiteral }) => {
    await create(stage, name, scheduleOf(fromJson(spec)));
    expect(await matchingTimes(stage, name, after, through)).toEqual(expectLiteral);
  });
});

describe('known next times', () => {
  const plain = vectors.next.filter(
    ({ mode, spec, expectNext }) =>
      !('jitter' in spec) && expectNext.length > 0 && (mode === 'full' || mode === 'raw'),
  );
  test.each(plain)('$name', async ({ name, spec, after, expectNext }) => {
    await create(stage, `next-${name}`, scheduleOf(fromJson(spec)));
    const last = expectNext.at(-1) as string;
    expect(await matchingTimes(stage, `next-${name}`, after, last)).toEqual(expectNext);
  });
});

describe('what is refused, and accepted, as a spec', () => {
  const cases = [...vectors.canonicalize, ...vectors.derivedCanonicalisation] as readonly {
    readonly name: string;
    readonly spec: Record<string, unknown>;
    readonly expectError?: boolean;
    readonly upstreamMessage?: string;
    readonly upstreamError?: string;
  }[];
  const bad = cases.filter((one) => one.expectError === true || one.upstreamError !== undefined);
  test.each(bad)('$name is refused', async ({ name, spec, upstreamError, upstreamMessage }) => {
    const { code, details } = await refusal(create(stage, `bad-${name}`, scheduleOf(fromJson(spec))));
    expect(code).toBe(status.INVALID_ARGUMENT);
    expect(details).toMatch(/^Invalid schedule spec: /);
    expect(details).toContain(upstreamError ?? upstreamMessage ?? '');
  });
});

describe('specs as they come back', () => {
  const ranges = ['second', 'minute', 'hour', 'dayOfMonth', 'month', 'year', 'dayOfWeek'] as const;
  type Range = { start?: number; end?: number; step?: number };
  const cleaned = ({ start = 0, end = 0, step = 0 }: Range) => ({
    start,
    end: Math.max(start, end),
    step: step === 0 ? 1 : step,
  });
  const cleanedCalendars = (calendars: unknown) =>
    ((calendars ?? []) as readonly Record<string, unknown>[]).map((calendar) => ({
      comment: calendar.comment ?? '',
      ...Object.fromEntries(ranges.map((name) => [name, ((calendar[name] ?? []) as Range[]).map(cleaned)])),
    }));
  const durations = (intervals: Spec['interval']) =>
    (intervals ?? []).map(({ interval, phase }) =>
      [interval, phase].map((one) => Number(one?.seconds ?? 0) + (one?.nanos ?? 0) / 1e9),
    );
  const good = (
    [...vectors.canonicalize, ...vectors.derivedCanonicalisation] as readonly {
      readonly name: string;
      readonly spec: Record<string, unknown>;
      readonly expect?: Record<string, unknown>;
      readonly upstreamPredicted?: Record<string, unknown>;
    }[]
  )
    .filter((one) => (one.expect ?? one.upstreamPredicted) !== undefined)
    // Exclusions are checked here like everything else (reference 7, number 8).
    .filter(({ name }) => name !== 'exclude-structured-not-validated');
  test.each(good)('$name', async ({ name, spec, expect: wanted, upstreamPredicted }) => {
    await create(stage, `good-${name}`, scheduleOf(fromJson(spec)));
    const { schedule } = await describeRaw(stage, `good-${name}`);
    const answer = fromJson(wanted ?? upstreamPredicted ?? {});
    expect(cleanedCalendars(schedule?.spec?.structuredCalendar)).toEqual(
      cleanedCalendars(answer.structuredCalendar),
    );
    expect(durations(schedule?.spec?.interval)).toEqual(durations(answer.interval));
    expect(schedule?.spec?.timezoneName ?? '').toBe(answer.timezoneName ?? '');
    expect(schedule?.spec?.cronString).toEqual([]);
    expect(schedule?.spec?.calendar).toEqual([]);
    // What comes back is cleaned already, so that sending it again changes nothing.
    await create(stage, `again-${name}`, scheduleOf(schedule?.spec ?? {}));
    expect((await describeRaw(stage, `again-${name}`)).schedule?.spec).toEqual(schedule?.spec);
  });
});

describe('answers to questions about the edges of a spec', () => {
  const edges = vectors.derivedEvaluation.filter((one) => one.jitterSeed === '') as readonly {
    readonly name: string;
    readonly spec: Record<string, unknown>;
    readonly after: string;
    readonly upstreamPredicted: readonly ({ readonly next: string } | null)[];
  }[];
  // Two errors of the original that are not imitated (reference 7, numbers 9 and 10).
  const better: Readonly<Record<string, readonly string[]>> = {
    'start-time-fraction-leaks-earlier-second': ['2022-03-23T13:00:00Z'],
    'interval-phase-larger-than-now': ['2029-12-17T00:00:00Z'],
  };
  test.each(edges)('$name', async ({ name, spec, after, upstreamPredicted }) => {
    await create(stage, `edge-${name}`, scheduleOf(fromJson(spec)));
    const known = better[name] ?? upstreamPredicted.filter((one) => one !== null).map(({ next }) => next);
    const isExhausted = upstreamPredicted.at(-1) === null;
    const through = isExhausted ? '2101-12-31T00:00:00Z' : (known.at(-1) as string);
    expect(await matchingTimes(stage, `edge-${name}`, after, through)).toEqual(known);
  });
});

describe('jitter', () => {
  const jittered = vectors.next.filter(
    (one) => 'jitterSeed' in one && 'jitter' in one.spec && one.expectNext.length > 0,
  );
  const msOf = (text: string) => Number(text.slice(0, -1)) * 1000;

  test('of the known answers is what the second opinion says', () => {
    expect(jittered.length).toBeGreaterThan(5);
    for (const one of jittered) {
      const { spec, jitterSeed = '', expectNext, expectNominal = [] } = one;
      expectNominal.forEach((nominal, index) => {
        const interval =
          'interval' in spec ? msOf((spec.interval as [{ interval: string }])[0].interval) : Infinity;
        const bound = Math.min(msOf(String((spec as { jitter: string }).jitter)), interval);
        const at = Date.parse(nominal);
        const shown = new Date(at + jitterOf(at, jitterSeed, bound)).toISOString();
        expect(shown).toBe(new Date(expectNext[index] as string).toISOString());
      });
    }
  });

  test.each([
    ['less than the distance', 1800, 3600],
    ['more than the distance, which bounds it', 86_400, 5400],
  ])('%s: matching times and coming times are right to the millisecond', async (_, jitter, every) => {
    const id = `jitter-${jitter}`;
    await create(
      stage,
      id,
      scheduleOf({ interval: [{ interval: seconds(every) }], jitter: seconds(jitter) }),
    );
    const { namespaceInfo } = await stage.service.describeNamespace({ namespace });
    const bound = Math.min(jitter, every) * 1000;
    const from = Date.UTC(2027, 2, 1) - ((Date.UTC(2027, 2, 1) / 1000) % every) * 1000;
    const nominals = Array.from({ length: 40 }, (__, index) => from + index * every * 1000);
    const expected = nominals.map((at) =>
      new Date(at + jitterOf(at, `${namespaceInfo?.id}-${id}`, bound)).toISOString().replace(/\.?0*Z$/, 'Z'),
    );
    const shown = await matchingTimes(
      stage,
      id,
      new Date(from - 1).toISOString(),
      new Date(from + 40 * every * 1000 - 1).toISOString(),
    );
    expect(shown.filter((at) => Date.parse(at) >= from)).toEqual(expected);
    const { info } = await describeRaw(stage, id);
    expect(info?.futureActionTimes).toHaveLength(10);
    for (const at of info?.futureActionTimes ?? []) {
      const ms = Number(at.seconds) * 1000 + (at.nanos ?? 0) / 1e6;
      const nominal = Math.floor(ms / (every * 1000)) * every * 1000;
      expect(ms - nominal).toBe(jitterOf(nominal, `${namespaceInfo?.id}-${id}`, bound));
    }
  });

  test('is the same after delete and re-creation', async () => {
    const spec = { ...hourly, jitter: seconds(3600) };
    const ask = () => matchingTimes(stage, 'again', '2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z');
    await create(stage, 'again', scheduleOf(spec));
    const before = await ask();
    await stage.service.deleteSchedule({ namespace, scheduleId: 'again' });
    await create(stage, 'again', scheduleOf(spec));
    expect(await ask()).toEqual(before);
  });
});

describe('cron texts', () => {
  const one = { start: 0, end: 0, step: 1 };
  test('seven fields begin with seconds and end with the year; a comment stays', async () => {
    await create(
      stage,
      'seven',
      scheduleOf({ cronString: ['CRON_TZ=Asia/Tokyo 15 30 9 * 4 mon-fri 2027/2 # standup'] }),
    );
    const { schedule } = await describeRaw(stage, 'seven');
    expect(schedule?.spec).toMatchObject({
      cronString: [],
      timezoneName: 'Asia/Tokyo',
      structuredCalendar: [
        {
          second: [{ start: 15, end: 15, step: 1 }],
          minute: [{ start: 30, end: 30, step: 1 }],
          hour: [{ start: 9, end: 9, step: 1 }],
          dayOfMonth: [{ start: 1, end: 31, step: 1 }],
          month: [{ start: 4, end: 4, step: 1 }],
          dayOfWeek: [{ start: 1, end: 5, step: 1 }],
          year: [{ start: 2027, end: 2100, step: 2 }],
          comment: 'standup',
        },
      ],
    });
    expect(await matchingTimes(stage, 'seven', '2027-03-30T00:00:00Z', '2027-04-02T12:00:00Z')).toEqual([
      '2027-04-01T00:30:15Z',
      '2027-04-02T00:30:15Z',
    ]);
    expect(await matchingTimes(stage, 'seven', '2028-01-01T00:00:00Z', '2028-12-31T00:00:00Z')).toEqual([]);
  });

  test('the sixth of six fields is the year', async () => {
    await create(stage, 'six', scheduleOf({ cronString: ['0 12 1 1 * 2030'] }));
    expect(await matchingTimes(stage, 'six', '2026-01-01T00:00:00Z', '2040-01-01T00:00:00Z')).toEqual([
      '2030-01-01T12:00:00Z',
    ]);
  });

  test('@every becomes an interval with its phase, and forgets zone and comment', async () => {
    await create(stage, 'every', scheduleOf({ cronString: ['@every 90m/10m'] }));
    const { schedule } = await describeRaw(stage, 'every');
    expect(schedule?.spec?.cronString).toEqual([]);
    expect(schedule?.spec?.structuredCalendar).toEqual([]);
    expect(Number(schedule?.spec?.interval?.[0]?.interval?.seconds)).toBe(5400);
    expect(Number(schedule?.spec?.interval?.[0]?.phase?.seconds)).toBe(600);
    expect(await matchingTimes(stage, 'every', '2027-01-01T00:00:00Z', '2027-01-01T04:00:00Z')).toEqual([
      '2027-01-01T00:10:00Z',
      '2027-01-01T01:40:00Z',
      '2027-01-01T03:10:00Z',
    ]);
  });

  test.each([
    ['@yearly', ['2027-01-01T00:00:00Z']],
    ['@monthly', ['2027-01-01T00:00:00Z', '2027-02-01T00:00:00Z']],
    ['@weekly', ['2027-01-03T00:00:00Z', '2027-01-10T00:00:00Z']],
    ['@daily', ['2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z']],
    ['@hourly # all day', ['2027-01-01T00:00:00Z', '2027-01-01T01:00:00Z']],
  ])('%s', async (text, times) => {
    const id = `macro-${text}`;
    await create(stage, id, scheduleOf({ cronString: [text] }));
    const shown = await matchingTimes(stage, id, '2026-12-31T23:59:59Z', '2027-02-01T00:00:00Z');
    expect(shown.slice(0, times.length)).toEqual(times);
  });

  test.each([
    ['two zones', { cronString: ['CRON_TZ=Asia/Tokyo 0 0 * * *', 'TZ=Europe/Paris 0 0 * * *'] }],
    ['one with and one without', { cronString: ['CRON_TZ=Asia/Tokyo 0 0 * * *', '0 1 * * *'] }],
    ['another than the spec’s', { cronString: ['TZ=Asia/Tokyo 0 0 * * *'], timezoneName: 'Europe/Paris' }],
    ['zone data beside it', { cronString: ['TZ=Asia/Tokyo 0 0 * * *'], timezoneData: tzif() }],
  ])('zones that disagree are refused: %s', async (_, spec) => {
    expect(await refusal(create(stage, 'disagree', scheduleOf(spec)))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(/^Invalid schedule spec: .*conflicting timezone names/),
    });
  });

  test('the same zone everywhere is fine, and zone before fields needs fields', async () => {
    await create(
      stage,
      'agree',
      scheduleOf({ cronString: ['TZ=Asia/Tokyo 0 0 * * *', 'CRON_TZ=Asia/Tokyo 0 1 * * *'] }),
    );
    expect((await describeRaw(stage, 'agree')).schedule?.spec?.timezoneName).toBe('Asia/Tokyo');
    const { details } = await refusal(create(stage, 'lone', scheduleOf({ cronString: ['TZ=Asia/Tokyo'] })));
    expect(details).toContain('time zone but missing fields');
  });

  test('textual calendars are compiled, excluded ones too', async () => {
    await create(
      stage,
      'textual',
      scheduleOf({
        calendar: [{ hour: '9-17/4', dayOfWeek: 'mon-fri', comment: 'office' }],
        excludeCalendar: [{ second: '*', minute: '*', hour: '*', dayOfMonth: '1', month: 'jan' }],
      }),
    );
    const { schedule } = await describeRaw(stage, 'textual');
    expect(schedule?.spec).toMatchObject({
      calendar: [],
      excludeCalendar: [],
      structuredCalendar: [
        { second: [one], minute: [one], hour: [{ start: 9, end: 17, step: 4 }], comment: 'office' },
      ],
      excludeStructuredCalendar: [
        { dayOfMonth: [{ start: 1, end: 1, step: 1 }], month: [{ start: 1, end: 1, step: 1 }] },
      ],
    });
    expect(await matchingTimes(stage, 'textual', '2026-12-31T17:00:00Z', '2027-01-04T13:00:00Z')).toEqual([
      '2027-01-04T09:00:00Z',
      '2027-01-04T13:00:00Z',
    ]);
  });
});

test('a search among millions of excluded times leaves others their turn, and is given up in the end', async () => {
  const all = { second: '*', minute: '*', hour: '*' };
  // One second of each month is left.
  const mostly = [
    { ...all, dayOfMonth: '2-31' },
    { ...all, hour: '1-23' },
    { ...all, minute: '1-59' },
    { ...all, second: '1-59' },
  ];
  await create(
    stage,
    'hidden',
    scheduleOf({ calendar: [{ ...all, dayOfMonth: '1-13' }], excludeCalendar: mostly }),
  );
  const asked = matchingTimes(stage, 'hidden', '2026-12-31T00:00:00Z', '2100-01-01T00:00:00Z');
  let isAnswered = false;
  const refused = refusal(asked).finally(() => {
    isAnswered = true;
  });
  let answers = 0;
  while (!isAnswered && answers < 20) {
    await stage.service.getSystemInfo({});
    answers += 1;
  }
  expect(answers).toBe(20);
  expect((await refused).details).toContain('too many exclusions');
});

describe('zone data of the client', () => {
  test('comes back as it was and is what counts, whatever the name says', async () => {
    const data = tzif();
    await create(
      stage,
      'own-zone',
      scheduleOf({ calendar: [{ hour: '12' }], timezoneName: 'Nowhere/Ours', timezoneData: data }),
    );
    const { schedule } = await describeRaw(stage, 'own-zone');
    expect(Buffer.from(schedule?.spec?.timezoneData ?? [])).toEqual(data);
    expect(schedule?.spec?.timezoneName).toBe('Nowhere/Ours');
    expect(await matchingTimes(stage, 'own-zone', '2027-01-01T00:00:00Z', '2027-01-02T00:00:00Z')).toEqual([
      '2027-01-01T09:30:00Z',
    ]);
  });

  test('that cannot be read is refused', async () => {
    const broken = scheduleOf({ calendar: [{}], timezoneData: Buffer.from('not a zone') });
    expect(await refusal(create(stage, 'broken-zone', broken))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(/^Invalid schedule spec: /),
    });
  });
});

/** A zone two and a half hours east of Greenwich all year, in the format of compiled zone files (version 2). */
function tzif(): Buffer {
  const header = (version: string, characters: number) => {
    const head = Buffer.alloc(44);
    head.write(`TZif${version}`, 0, 'latin1');
    head.writeUInt32BE(1, 36); // kinds of local time
    head.writeUInt32BE(characters, 40);
    return head;
  };
  const body = Buffer.alloc(6 + 4);
  body.writeInt32BE(2.5 * 3600, 0);
  body.write('OUR\0', 6, 'latin1');
  return Buffer.concat([header('2', 4), body, header('2', 4), body, Buffer.from('\n<OUR>-2:30\n')]);
}
