import { describe, expect, test } from 'vitest';
import type { ListedSchedule } from './row.ts';
import { rowOf, specText, wordsWithoutZone, zoneBehind } from './row.ts';

const now = Date.parse('2026-11-01T18:12:40Z');

function listed(more: Partial<ListedSchedule> = {}): ListedSchedule {
  return {
    id: 'invoice-sync',
    status: 'running',
    spec: { cron: [{ text: '0,30 * * * *' }], zone: 'America/New_York' },
    words: 'At :00 and :30 every hour',
    owner: 'billing',
    tags: [],
    description: '',
    next: '2026-11-01T18:30:00.000Z',
    runningCount: 0,
    attention: { kind: null, text: '' },
    strip: { slots: [], p50Ms: null, p95Ms: 840_000 },
    ...more,
  } as ListedSchedule;
}

test('a healthy schedule says when it runs next, in its own zone', () => {
  expect(rowOf(listed(), now)).toMatchObject({
    look: undefined,
    under: 'billing',
    underFamily: undefined,
    spec: '0,30 * * * *',
    next: 'in 17 min',
    nextWhen: 'Sun 13:30 EST',
    p95: '14 min',
  });
});

test('a reason takes the place of the owner, with the colour of its family', () => {
  const row = rowOf(listed({ attention: { kind: 'failing', text: '6 failures in a row' } }), now);
  expect(row).toMatchObject({ look: 'failed', under: '6 failures in a row', underFamily: 'fail' });
});

describe('next', () => {
  test.each([
    [{ next: null, status: 'paused', attention: { kind: 'paused', text: 'paused' } }, 'not while paused'],
    [{ next: null, status: 'ended', spec: { cron: [{ text: '0 9 1 1 *' }] } }, 'no more times'],
    [{ next: null, status: 'running', spec: {} }, 'when it is triggered'],
    [{ attention: { kind: 'late', text: '' } }, 'overdue'],
  ] as const)('%o says %s', (more, text) => {
    expect(rowOf(listed(more as Partial<ListedSchedule>), now).next).toBe(text);
  });
});

test('the last slot says what came of it', () => {
  const strip = {
    slots: [
      {
        at: '2026-11-01T18:00:00Z',
        verdict: 'started',
        run: { id: 'r', state: 'done', outcome: 'completed', tookMs: 5 },
      },
    ],
    p50Ms: 5,
    p95Ms: 5,
  };
  expect(rowOf(listed({ strip }), now).last).toEqual({
    look: 'started',
    text: 'Completed',
    when: '13 min ago',
  });
});

test.each([
  [{ intervals: [{ everyMs: 10_000 }] }, 'every 10 s'],
  [{ rrules: [{ text: 'FREQ=DAILY' }] }, 'FREQ=DAILY'],
  [{ cron: [{ text: '0 9 * * *' }, { text: '0 17 * * *' }] }, '0 9 * * * and 0 17 * * *'],
  [{ cron: [{ text: '0 9 * * *' }], intervals: [{ everyMs: 10_000 }] }, '0 9 * * * and every 10 s'],
  [{}, 'by hand only'],
])('%o is written %s', (spec, text) => {
  expect(specText(spec as never)).toBe(text);
});

test.each([
  ['At 02:30 every day, Europe/Berlin', 'At 02:30 every day'],
  ['At 02:30 every day Europe/Berlin time', 'At 02:30 every day'],
  [
    'At 02:30 every day, Europe/Berlin, repeated times run twice',
    'At 02:30 every day, repeated times run twice',
  ],
  ['At 02:30 every day', 'At 02:30 every day'],
  ['Once at 2026-11-19 05:00 UTC, Europe/Berlin', 'Once at Thu 19 Nov 2026 06:00 CET'],
  ['Every hour, until 2026-07-01 05:00:30 UTC', 'Every hour, until Wed 1 Jul 2026 07:00:30 CEST'],
  ['At 02:30 every day Europe/Berlin time, until 2033-01-01 UTC', 'At 02:30 every day, until 2033-01-01 UTC'],
])('the zone stands apart: %s', (words, expected) => {
  expect(wordsWithoutZone(words, 'Europe/Berlin')).toBe(expected);
});

test('a zone is shown once', () => {
  expect(zoneBehind('At 02:30 every day, Europe/Berlin', 'Europe/Berlin')).toBe(', in Berlin');
  expect(zoneBehind('Once at 2026-11-19 03:32:09 UTC', 'UTC')).toBe('');
  expect(wordsWithoutZone('Once at 2026-11-19 03:32:09 UTC', 'UTC')).toBe(
    'Once at Thu 19 Nov 2026 03:32:09 UTC',
  );
});
