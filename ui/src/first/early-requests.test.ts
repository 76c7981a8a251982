import { describe, expect, test } from 'vitest';
import { earlyPaths } from './early-requests.ts';

describe('what a screen asks for first', () => {
  test('has the names of its address', () => {
    expect(earlyPaths('schedules/$id', { namespace: 'default', id: 'a/b c' }, { at: 'x' })).toEqual([
      '/about',
      '/schedules/a%2Fb%20c',
    ]);
  });
  test('is left to the screen where a query decides it', () => {
    expect(earlyPaths('schedules', { namespace: 'default' }, { q: 'tag:erp' })).toEqual(['/about']);
    expect(earlyPaths('schedules', { namespace: 'default' }, {})).toHaveLength(2);
  });
  test('is what the frame asks for, on a screen without data', () => {
    expect(earlyPaths('playground', { namespace: 'default' }, {})).toEqual(['/about']);
  });
});
