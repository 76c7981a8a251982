import { describe, expect, test } from 'vitest';
import { afterKey } from './typed-ahead.ts';

const type = (keys: readonly string[]) => keys.reduce(afterKey, { text: '', isEntered: false });

describe('what is typed ahead', () => {
  test.each([
    ['letters', [...'a b'], 'a b', false],
    ['a correction', ['a', 'b', 'Backspace', 'c'], 'ac', false],
    ['keys without a letter', ['Shift', 'A', 'ArrowDown'], 'A', false],
    ['nothing after Enter', ['a', 'Enter', 'b'], 'a', true],
  ])('%s', (_, keys, text, isEntered) => {
    expect(type(keys)).toEqual({ text, isEntered });
  });
});
