import { describe, expect, test } from 'vitest';
import { clockChanges } from './zone.ts';

const at = (text: string) => Date.parse(text);

describe('clock changes by what the browser knows', () => {
  test('are found at their second, wherever the view begins', () => {
    for (const from of ['2026-01-05T00:00:00Z', '2026-03-05T07:13:11Z', '2026-03-08T06:59:59Z']) {
      const [first] = clockChanges('America/New_York', at(from), at('2026-12-01T00:00:00Z'));
      expect(first).toEqual({ at: at('2026-03-08T07:00:00Z'), by: 3_600_000 });
    }
  });
  test('are none where the clock stays', () => {
    expect(clockChanges('UTC', at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z'))).toEqual([]);
  });
});
