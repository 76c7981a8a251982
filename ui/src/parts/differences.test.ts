import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';

const node = (version: string, timeZoneVersion: string, state: 'alive' | 'silent' = 'alive') => ({
  version,
  timeZoneVersion,
  state,
});

test('nodes that are the same need no word, and silent ones do not count', () => {
  expect(differencesOf([])).toEqual([]);
  expect(differencesOf([node('1.0.0', '2026f'), node('1.0.0', '2026f')])).toEqual([]);
  expect(differencesOf([node('1.0.0', '2026f'), node('0.9.0', '2025b', 'silent')])).toEqual([]);
});

test('versions and zone tables that differ are named, each once', () => {
  const found = differencesOf([node('1.0.0', '2026f'), node('0.9.0', '2026f'), node('1.0.0', '2025b')]);
  expect(found[0]).toBe('Several versions are at work: 0.9.0, 1.0.0.');
  expect(found[1]).toMatch(/^Several releases of the zone tables are at work: 2025b, 2026f\./);
});
