import { expect, test } from 'vitest';
import { completionsOf, settledUnknown } from './completions.ts';

const tokens = (text: string, seen = {}) => completionsOf(text, seen).map(({ token }) => token);

test('names of tokens and their fixed values are offered as they are typed', () => {
  expect(tokens('ta')).toEqual(['tag:']);
  expect(tokens('nightly is:f')).toEqual(['is:failing']);
  expect(tokens('state:')).toEqual(['state:running', 'state:paused', 'state:ended', 'state:quarantined']);
  expect(tokens('')).toEqual([]);
  expect(tokens('tag:billing ')).toEqual([]);
});

test('values that schedules have are offered after their name', () => {
  const seen = { tag: ['billing', 'erp', 'two words'], owner: ['payments@main'] };
  expect(tokens('tag:', seen)).toEqual(['tag:billing', 'tag:erp', 'tag:"two words"']);
  expect(tokens('x tag:"two w', seen)).toEqual(['tag:"two words"']);
  expect(completionsOf('x tag:"two w', seen)[0]?.text).toBe('x tag:"two words" ');
  expect(tokens('x tag:BIL', seen)).toEqual(['tag:billing']);
  expect(tokens('owner:main', seen)).toEqual(['owner:payments@main']);
  expect(tokens('tag:billing', seen)).toEqual([]);
});

test('a completion keeps what stands before it, and a whole token is followed by a space', () => {
  expect(completionsOf('nightly ta', {})[0]?.text).toBe('nightly tag:');
  expect(completionsOf('nightly is:sk', {})[0]?.text).toBe('nightly is:skipping ');
});

test('what is still being typed is not called meaningless', () => {
  expect(settledUnknown('tag:', ['tag:'])).toEqual([]);
  expect(settledUnknown('state:pau', ['state:pau'])).toEqual([]);
  expect(settledUnknown('state:sleepy', ['state:sleepy'])).toEqual(['state:sleepy']);
  expect(settledUnknown('state:sleepy x', ['state:sleepy'])).toEqual(['state:sleepy']);
});
