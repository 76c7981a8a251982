import { describe, expect, test } from 'vitest';
import { paramsOf } from './match.ts';

describe('a path fits a pattern', () => {
  test.each([
    ['/$namespace', '/default', { namespace: 'default' }],
    ['/$namespace', '/default/', { namespace: 'default' }],
    ['/$namespace/schedules', '/a%20b/schedules', { namespace: 'a b' }],
    ['/$namespace/schedules/$id', '/default/schedules/a%2Fb.c', { namespace: 'default', id: 'a/b.c' }],
    ['/$namespace/schedules/$id/edit', '/default/schedules/new/edit', { namespace: 'default', id: 'new' }],
  ])('%s: %s', (pattern, path, params) => {
    expect(paramsOf(pattern, path)).toEqual(params);
  });
});

describe('a path does not fit', () => {
  test.each([
    ['/$namespace', '/'],
    ['/$namespace/schedules', '/default/runs'],
    ['/$namespace/schedules/$id', '/default/schedules'],
    ['/$namespace/schedules/$id', '/default/schedules/a/b'],
    ['/$namespace/schedules/$id', '/default/schedules/100%'],
  ])('%s: %s', (pattern, path) => {
    expect(paramsOf(pattern, path)).toBeUndefined();
  });
});
