/** A stored schedule can always be said again: whatever a field means, writing it back and reading it changes nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instant } from '../base/time.ts';
import { injectable, missedPolicies, overlapPolicies } from '../scheduler/definition.ts';
import { storedDefinition } from './definition-draft.ts';
import type { ScheduleInput } from './schedule-fields.ts';
import { scheduleInput } from './schedule-fields.ts';
import { readScheduleInput, writeScheduleInput } from './schedule-input.ts';

const name = { namespace: 'default', id: 'it' };
const text = fc.string({ maxLength: 40 });
const word = fc.constantFrom('a', 'mail', 'reports');
const json = fc.jsonValue({ maxDepth: 3 });
const record = fc.dictionary(word, json, { maxKeys: 3 });
const length = fc.oneof(fc.constantFrom('0s', '90s', '15m', '1h30m', '2d'), fc.nat({ max: 10_000_000 }));
const timeout = fc.oneof(fc.constantFrom('30s', '5m', '250ms'), fc.integer({ min: 1, max: 10_000_000 }));
const wholeSeconds = fc.oneof(
  fc.constantFrom('15m', '1h'),
  fc.integer({ min: 10, max: 9999 }).map((n) => n * 1000),
);
const early = fc.constantFrom('2026-03-01T09:00:00Z', Date.UTC(2026, 0, 1), new Date(Date.UTC(2026, 1, 1)));
const late = fc.constantFrom('2031-03-01T09:00:00+02:00', Date.UTC(2032, 0, 1));
const whole = (min: number, max: number) => fc.integer({ min, max });

/** One generator per field: a new field does not compile without. */
const fields: {
  readonly [Name in keyof ScheduleInput]-?: fc.Arbitrary<NonNullable<ScheduleInput[Name]> | null>;
} = {
  cron: fc.constantFrom('0 9 * * 1-5', ['@daily', '30 0 6 * * *'], '*/7 2 1 1 *'),
  dialect: fc.constantFrom('unix', 'temporal'),
  every: wholeSeconds,
  offset: fc.constantFrom('5s', 3000),
  at: fc.oneof(early, fc.array(late, { minLength: 1, maxLength: 2 })),
  rrule: fc.constantFrom('FREQ=DAILY;BYHOUR=9', 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=3'),
  spec: fc.constantFrom(
    { intervals: [{ everyMs: 60_000, phaseMs: 1000 }], zone: 'Asia/Tokyo' },
    { cron: [{ text: '5 4 * * *', dialect: 'temporal' as const }], exclude: { dates: ['2027-01-01'] } },
    { times: [instant(Date.UTC(2030, 0, 1))], jitterMs: 1500 },
  ),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
  dst: fc.constantFrom({ gap: 'shift' as const }, { gap: 'gapEnd' as const, fold: 'both' as const }),
  startAt: early,
  endAt: late,
  jitter: length,
  excludeDates: fc.constantFrom(['2026-12-25'], ['2026-12-25', '2027-01-01']),
  run: word,
  http: fc.record(
    {
      url: fc.constant('https://example.com/hook'),
      method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
      headers: fc.constant({ 'x-a': 'b' }),
      body: json,
      timeout,
      callbackTimeout: timeout,
      secret: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,9}$/),
      allowPrivate: fc.boolean(),
    },
    { requiredKeys: ['url'] },
  ),
  command: fc.record(
    {
      argv: fc.array(word, { minLength: 1, maxLength: 3 }),
      cwd: fc.constant('/tmp'),
      env: fc.constant({ A: 'b' }),
      passEnv: fc.constant(['HOME']),
      timeout,
      shell: fc.boolean(),
    },
    { requiredKeys: ['argv'] },
  ),
  conductor: fc.record(
    {
      workflow: word,
      version: fc.integer({ min: 1, max: 9 }),
      follow: fc.boolean(),
      target: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['workflow'] },
  ),
  bullmq: fc.record(
    {
      queue: word,
      name: word,
      data: json,
      opts: fc.constantFrom(
        { attempts: 2, backoff: { type: 'fixed', delay: 5 } },
        { removeOnFail: { age: 60 } },
      ),
      connection: word,
    },
    { requiredKeys: ['queue'] },
  ),
  temporal: fc.record(
    {
      workflowType: word,
      taskQueue: word,
      args: fc.array(json, { maxLength: 2 }),
      memo: record,
      runTimeout: timeout,
    },
    { requiredKeys: ['workflowType', 'taskQueue'] },
  ),
  input: json,
  queue: word,
  priority: fc.oneof(fc.constantFrom('high', 'normal', 'low'), whole(-100, 100)),
  workflowId: text,
  inject: fc.dictionary(word, fc.constantFrom(...injectable), { maxKeys: 3 }),
  retry: fc.record(
    {
      attempts: whole(1, 50),
      initial: timeout,
      longest: timeout,
      coefficient: whole(1, 10),
      jitter: fc.constantFrom(0, 0.5, 1),
    },
    { requiredKeys: [] },
  ),
  attemptTimeout: timeout,
  unclaimedTimeout: timeout,
  timeout,
  overlap: fc.constantFrom(...overlapPolicies),
  limit: whole(1, 100),
  catchup: length,
  missed: fc.constantFrom(...missedPolicies),
  missedLimit: whole(1, 1000),
  outstanding: whole(1, 1_000_000),
  catchupPace: length,
  pauseAfterFailures: whole(0, 10),
  idleClose: length,
  keepOriginalId: fc.boolean(),
  paused: fc.oneof(fc.boolean(), text),
  remaining: fc.oneof(whole(0, 10), fc.constant(null)),
  note: text,
  description: text,
  owner: text,
  declaredBy: text,
  tags: fc.array(word, { maxLength: 3 }),
  memo: record,
  attributes: fc.dictionary(word, fc.oneof(text, whole(0, 9), fc.boolean(), fc.array(word)), { maxKeys: 3 }),
};

const { run, http, command, bullmq, conductor, temporal, dialect, offset, ...plain } = fields;
const target = fc.oneof(
  fc.record({ run }),
  fc.record({ http }),
  fc.record({ command }),
  fc.record({ bullmq }),
  fc.record({ conductor }),
  fc.record({ temporal }),
);
const input = fc
  .tuple(fc.record(plain, { requiredKeys: [] }), target, dialect, offset)
  .map(([given, what, spoken, shift]) => {
    // A dialect and an offset say something about another field, and nothing alone; and the texts with seconds first are
    // not those of the Temporal dialect.
    const isPlain = typeof given.cron === 'string';
    return {
      ...given,
      ...what,
      ...(isPlain ? { dialect: spoken } : {}),
      ...(given.every === undefined ? {} : { offset: shift }),
    } as ScheduleInput;
  });

const stored = (given: unknown) => storedDefinition(name, readScheduleInput(given));
/** As a store keeps it, and as a client sends it. */
const throughJson = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

describe('a schedule', () => {
  test('has a generator here for every field of its schema', () => {
    expect(Object.keys(fields).sort()).toEqual(Object.keys(scheduleInput.shape).sort());
  });

  test('input → draft → stored definition → input → the same definition', () => {
    fc.assert(
      fc.property(input, (given) => {
        const definition = throughJson(stored(given));
        const again = throughJson(writeScheduleInput(definition));
        expect(throughJson(stored(again))).toEqual(definition);
      }),
      { numRuns: 500 },
    );
  });

  test('writing it back says nothing about a pause or the actions left, so that sending it keeps both', () => {
    fc.assert(
      fc.property(input, (given) => {
        const draft = readScheduleInput(writeScheduleInput(stored(given)));
        expect(draft).not.toHaveProperty('paused');
        expect(draft).not.toHaveProperty('remaining');
      }),
      { numRuns: 50 },
    );
  });

  /** A field that the schema has and the reader forgets would round-trip, and mean nothing. */
  test.each(Object.keys(fields))('%s means something', (field) => {
    const base: ScheduleInput = { cron: '0 1 * * *', every: '1h', run: 'x', zone: 'Europe/London' };
    const alone = fields[field as keyof ScheduleInput] as fc.Arbitrary<unknown>;
    const kinds = ['http', 'command', 'bullmq', 'conductor', 'temporal'];
    const { run: _, ...bare } = base;
    const from = kinds.includes(field) ? bare : base;
    const drafts = fc.sample(alone, { numRuns: 20, seed: 1 }).map((value) => {
      return JSON.stringify(readScheduleInput({ ...from, [field]: value }));
    });
    const without = kinds.includes(field) ? '' : JSON.stringify(readScheduleInput(from));
    expect(drafts.some((draft) => draft !== without)).toBe(true);
  });
});
