import { expect, test } from 'vitest';
import { attentionText } from './attention-text.ts';

test('what must be decided is told without what only a program needs', () => {
  expect(
    attentionText(
      "find out whether the change of 'book' happened (key 7f-1), then resolve it: it happened, or skip",
    ),
  ).toBe("Find out whether the change of 'book' happened, then resolve it: it happened, or skip.");
  expect(attentionText("'pay' failed: no funds; remove the cause, then resume 'x'")).toBe(
    "'pay' failed: no funds; remove the cause, then resume 'x'.",
  );
});
