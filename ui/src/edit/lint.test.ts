import { describe, expect, test } from 'vitest';
import { findingsOf } from './lint.ts';

const known = { id: 'nightly', now: Date.UTC(2026, 10, 18), zone: 'Europe/Berlin', slowRunMs: undefined };
const codes = (draft: object, more = {}) =>
  findingsOf(draft as never, { ...known, ...more }).map(({ code }) => code);

describe('findings while editing', () => {
  test('a time that the clock skips has a remedy', () => {
    const draft = {
      spec: { cron: [{ text: '30 2 * * *' }], zone: 'America/New_York', dst: { gap: 'skip' } },
      run: 'work',
    };
    const skipped = findingsOf(draft, known).find(({ code }) => code === 'dst-skip');
    expect(skipped?.remedy?.draft.spec).toMatchObject({ dst: { gap: 'shift' } });
  });

  test('an hour without a zone, a minute that many use, a run without a timeout', () => {
    expect(codes({ spec: { cron: [{ text: '0 9 * * *' }] }, run: 'work' })).toEqual(
      expect.arrayContaining(['zone-missing']),
    );
    const hourly = { spec: { cron: [{ text: '*/10 * * * *' }], zone: 'UTC' }, run: 'work' };
    expect(codes(hourly)).toContain('no-timeout');
    expect(codes({ ...hourly, timeout: '5m' })).not.toContain('no-timeout');
  });

  test('runs longer than the gap are a risk', () => {
    const draft = { spec: { cron: [{ text: '*/10 * * * *' }], zone: 'UTC' }, run: 'work', timeout: '1h' };
    expect(codes(draft, { slowRunMs: 15 * 60_000 })).toContain('overlap-risk');
  });

  test('a catch-up window that loses runs is made as long as the finding says, with one click', () => {
    const draft = { spec: { cron: [{ text: '30 2 * * 1' }], zone: 'UTC' }, run: 'work', catchup: '1h30m' };
    const short = findingsOf(draft, known).find(({ code }) => code === 'catchup-short');
    expect(short?.message).toContain('1h30m');
    expect(short?.remedy?.draft).toEqual({ ...draft, catchup: '7d' });
    expect(codes(short?.remedy?.draft ?? {})).not.toContain('catchup-short');
  });

  test('what cannot be read has no findings here', () => {
    expect(codes({ spec: { cron: [{ text: '99 * * * *' }] } })).toEqual([]);
  });
});
