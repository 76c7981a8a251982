import { expect, test } from 'vitest';
import { stoppedWords } from './stopped.ts';

const run = { state: 'done', outcome: 'cancelled' } as const;
const schedule = { policy: { overlap: 'cancelOther' } } as never;

test('a rule is named, in the colour of rules', () => {
  const failure = { message: 'cancelled by schedule overlap policy', askedAt: 1 as never };
  expect(stoppedWords({ ...run, failure }, schedule)).toMatchObject({
    family: 'policy',
    detail: 'Its overlap policy is cancelOther.',
  });
});

test('a person is named with the reason; a failure is not a stop', () => {
  const failure = { message: 'wrong month', askedAt: 1 as never, askedBy: 'ana' };
  expect(stoppedWords({ ...run, failure }, schedule)).toEqual({
    family: 'person',
    title: 'ana cancelled it.',
    detail: 'Wrong month.',
  });
  expect(
    stoppedWords(
      { ...run, outcome: 'terminated', failure: { ...failure, message: 'Terminated', askedBy: 'page' } },
      schedule,
    ),
  ).toMatchObject({ title: 'A person on this page terminated it.', detail: '' });
  expect(stoppedWords({ ...run, outcome: 'failed', failure }, schedule)).toBeUndefined();
});
