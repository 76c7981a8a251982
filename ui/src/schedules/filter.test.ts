import { queryToken, readScheduleQuery } from 'carillon/client';
import { describe, expect, test } from 'vitest';
import { quoted } from '../parts/quoted.ts';
import { commandOf, hasToken, toggled, withoutState, withState } from './filter.ts';

describe('a query', () => {
  test('has tokens and words', () => {
    expect(readScheduleQuery('tag:billing nightly  state:paused tag:erp report is:failing')).toEqual({
      filters: { tag: ['billing', 'erp'], state: 'paused', failing: true, text: 'nightly report' },
      unknown: [],
    });
  });

  test('keeps a colon that is no token, and names tokens that mean nothing', () => {
    expect(readScheduleQuery('tenant:42 state:sleepy tag:')).toEqual({
      filters: { text: 'tenant:42' },
      unknown: ['state:sleepy', 'tag:'],
    });
  });

  test('values with spaces are quoted, and a quote that is open reaches to the end', () => {
    const text = `${queryToken('owner', 'data team')} tag:a ${queryToken('tag', 'b c')}`;
    expect(text).toBe('owner:"data team" tag:a tag:"b c"');
    expect(readScheduleQuery(text).filters).toEqual({ owner: 'data team', tag: ['a', 'b c'] });
    expect(readScheduleQuery('tag:"b c').filters).toEqual({ tag: ['b c'] });
    expect(readScheduleQuery('say "two words"').filters).toEqual({ text: 'say "two words"' });
  });

  test('empty means everything', () => {
    expect(readScheduleQuery('  ')).toEqual({ filters: {}, unknown: [] });
  });
});

test('tokens are added and removed, a state takes the place of another', () => {
  expect(toggled('nightly', 'tag:a')).toBe('nightly tag:a');
  expect(toggled('nightly tag:a', 'tag:a')).toBe('nightly');
  expect(withState('x state:paused', 'is:failing')).toBe('x is:failing');
  expect(withState('x is:failing', 'is:failing')).toBe('x');
  expect(withState('x is:failing', '')).toBe('x');
  expect(hasToken('a b', 'b')).toBe(true);
  expect(withoutState('tag:a  is:failing x state:paused')).toBe('tag:a x');
  expect(toggled('tag:"b c" x', 'tag:"b c"')).toBe('x');
});

test('the same as a command', () => {
  expect(commandOf("tag:billing it's late")).toBe(
    `carillon schedule list --tag billing --text 'it'\\''s late'`,
  );
  expect(quoted('plain@main')).toBe('plain@main');
});
