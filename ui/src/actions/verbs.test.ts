import { expect, test } from 'vitest';
import { commandFor, doneText } from './verbs.ts';

test('the command says what the dialog says', () => {
  expect(commandFor('resume', 'a', { note: "it's done", missed: 'once' })).toBe(
    `carillon schedule resume a --missed once --note 'it'\\''s done'`,
  );
  expect(commandFor('trigger', 'my job', { note: '', overlap: 'allowAll' })).toBe(
    "carillon schedule trigger 'my job' --overlap allowAll",
  );
});

test('results are in the past tense', () => {
  expect(doneText('pause', '3 schedules')).toBe('Paused 3 schedules');
});
