import { expect, test } from 'vitest';
import { attentionText } from './attention-text.ts';

test('a decision is described without fields that only a program needs', () => {
  expect(
    attentionText(
      "find out whether the change of 'book' happened (key 7f-1), then resolve it: it happened, or skip",
    ),
  ).toBe("Find out whether the change of 'book' happened, then resolve it: it happened, or skip.");
  expect(attentionText("'pay' failed: no funds; remove the cause, then resume 'x'")).toBe(
    "'pay' failed: no funds; remove the cause, then resume 'x'.",
  );
});
