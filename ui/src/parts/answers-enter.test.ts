import { expect, test } from 'vitest';
import { answersEnter } from './answers-enter.ts';

const pressed = { key: 'Enter', isHeld: false, isComposing: false, tag: 'INPUT', type: 'text' };

test('Enter in a field of one line answers the dialog', () => {
  expect(answersEnter(pressed)).toBe(true);
  expect(answersEnter({ ...pressed, type: 'datetime-local' })).toBe(true);
  expect(answersEnter({ ...pressed, isHeld: true })).toBe(true);
});

test('where Enter has another meaning it does not', () => {
  expect(answersEnter({ ...pressed, isComposing: true })).toBe(false);
  expect(answersEnter({ ...pressed, type: 'checkbox' })).toBe(false);
  expect(answersEnter({ ...pressed, tag: 'BUTTON', type: 'button' })).toBe(false);
  expect(answersEnter({ ...pressed, tag: 'TEXTAREA', type: 'textarea' })).toBe(false);
  expect(answersEnter({ ...pressed, tag: 'TEXTAREA', type: 'textarea', isHeld: true })).toBe(true);
  expect(answersEnter({ ...pressed, key: 'a' })).toBe(false);
});
