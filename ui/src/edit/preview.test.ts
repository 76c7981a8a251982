import { expect, test } from 'vitest';
import { previewSpec } from './preview.ts';

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

test('what is wrong is told with its fix', () => {
  const shown = previewSpec({ cron: [{ text: '61 * * * *' }] }, now);
  expect(shown.ok).toBe(false);
  if (!shown.ok) expect(shown.problems[0]?.message).toMatch(/61/);
});
