import { expect, test } from 'vitest';
import { shortRunId } from './run-id.ts';

test('a short name is the beginning of an id, and distinguishes runs of one moment', () => {
  const id = '0mvxji0w0-1hcqb000g54shl';
  expect(id.startsWith(shortRunId(id))).toBe(true);
  expect(shortRunId('0mvxji0w0-0000k3p1hcqb000g54')).not.toBe(shortRunId(id));
  expect(shortRunId(id)).toBe('0mvxji0w0-1hcqb');
});

test('an id of another form is shown whole', () => {
  expect(shortRunId('order-4711')).toBe('order-4711');
});
