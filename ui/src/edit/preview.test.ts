import { expect, test } from 'vitest';
import { previewSpec, seedOf } from './preview.ts';

const now = Date.parse('2026-11-01T18:12:40Z');

test('words, the next ten, and clock changes within two years', () => {
  const shown = previewSpec(
    { cron: [{ text: '30 2 * * *' }], zone: 'America/New_York', dst: { gap: 'skip', fold: 'first' } },
    now,
  );
  if (!shown.ok) throw new Error('it is valid');
  expect(shown.next).toHaveLength(10);
  expect(new Date(shown.next[0] ?? 0).toISOString()).toBe('2026-11-02T07:30:00.000Z');
  expect(shown.clock.map(({ effect }) => effect)).toContain('skipped');
  expect(shown.words).toContain('02:30');
});

test('an H is the minute that the schedule of that name has', () => {
  const shown = (id: string) => {
    const preview = previewSpec({ cron: [{ text: 'H 3 * * *' }] }, now, { seed: seedOf('default', id) });
    return preview.ok ? [preview.words, new Date(preview.next[0] ?? 0).toISOString()] : [];
  };
  // As a server answers for these names.
  expect(shown('h-one')).toEqual(['At 03:49 every day', '2026-11-02T03:49:00.000Z']);
  expect(shown('h-two')).toEqual(['At 03:01 every day', '2026-11-02T03:01:00.000Z']);
  expect(shown('')[0]).toContain('(H: spread by schedule)');
});

test('a problem is shown with its fix', () => {
  const shown = previewSpec({ cron: [{ text: '61 * * * *' }] }, now);
  expect(shown.ok).toBe(false);
  if (!shown.ok) expect(shown.problems[0]?.message).toMatch(/61/);
});
