import { expect, test } from 'vitest';
import { refusalOf } from './refusal.ts';

test('an unreachable server is not shown as a refusal', () => {
  const message = "no Carillon answers at http://127.0.0.1:8080; start one with 'carillon dev'";
  expect(refusalOf({ isOffline: true, message }).title).toBe('The server does not answer.');
  expect(refusalOf({ isOffline: false, message: 'the schedule is closed' })).toEqual({
    title: 'This would be refused.',
    text: 'The schedule is closed.',
  });
});
