import { expect, test } from 'vitest';
import { eventsOn, joinedPauses } from './events.ts';

const zone = 'Europe/Berlin';
const days = {
  excluded: [
    { date: '2026-11-26', label: 'Thanksgiving', schedules: 12, wholeDay: 12, ids: ['a', 'b'] },
    { date: '2026-11-26', label: '', schedules: 1, wholeDay: 0, ids: ['c'] },
  ],
  paused: [
    { firstDay: '2026-11-24', lastDay: null, by: 'Mara', note: 'freeze', schedules: 38, ids: ['p'] },
    { firstDay: '2026-11-25', lastDay: '2026-11-27', by: 'Jonas', note: '', schedules: 1, ids: ['q'] },
  ],
};
const material = { days, clock: [], silences: [], zone };
const on = (date: string) => eventsOn(Date.parse(`${date}T00:00:00Z`), material);

test('a pause has its note where it begins and on Mondays, and its number between', () => {
  const shown = (date: string) => joinedPauses(on(date)).map(({ short }) => short);
  expect(shown('2026-11-23')).toEqual([]);
  expect(shown('2026-11-24')).toEqual(['freeze, 38']);
  expect(shown('2026-11-25')).toEqual(['paused by Jonas', '38 paused']);
  expect(shown('2026-11-26')).toEqual(['Thanksgiving, 12', 'left out: c', '39 paused']);
  expect(shown('2026-11-30')).toEqual(['freeze, 38']);
});

test('the sentence says who, why, how many and until when', () => {
  expect(on('2026-11-26').map(({ text }) => text)).toEqual([
    'Excluded, Thanksgiving: 12 schedules, the whole day.',
    'Excluded: c, a part of the day.',
    'Paused by Mara, “freeze”: 38 schedules, since 24 Nov, until a person resumes.',
    'Paused by Jonas: q, since 25 Nov, until 27 Nov.',
  ]);
  expect(joinedPauses(on('2026-11-26')).at(-1)?.text).toBe('39 schedules stay paused.');
});

test('a pause by the rule of a schedule does not repeat the note that was stored', () => {
  const note = 'paused, workflow failed: s-2026-11-24T00:02:00Z';
  const paused = [{ firstDay: '2026-11-24', lastDay: null, by: 'policy', note, schedules: 1, ids: ['s'] }];
  const [event] = eventsOn(Date.parse('2026-11-24T00:00:00Z'), {
    ...material,
    days: { excluded: [], paused },
  });
  expect(event?.short).toBe('paused by its own rule');
  expect(event?.text).toBe('Paused by its own rule: s, since 24 Nov, until a person resumes.');
});

test('outages and clock changes stand on their own local day', () => {
  const clock = {
    at: '2026-11-01T06:00:00Z',
    zone: 'America/New_York',
    byMinutes: -60,
    schedules: 700,
    touched: [],
    touchedCount: 683,
    effects: {},
  };
  const silence = { from: '2026-10-31T23:30:00Z', to: '2026-11-01T00:51:00Z' };
  const events = eventsOn(Date.parse('2026-11-01T00:00:00Z'), {
    ...material,
    clock: [clock],
    silences: [silence],
  });
  expect(events.map(({ short }) => short)).toEqual(['no node, 1 h 21 min', 'clock back, 683']);
});
