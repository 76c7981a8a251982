/** Decisions in ARCHITECTURE.md can be referred to by their numbers. */
import { expect, test } from 'vitest';
import { textOf } from './pages.ts';

test('every decision has a number of its own', () => {
  const text = textOf('ARCHITECTURE.md');
  const numbers = [...text.matchAll(/^\*\*D(\d+)\*\* · \*\d{4}-\d\d-\d\d\* · \*\*/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers.length).toBeGreaterThan(50);
  expect(numbers.filter((each, index) => numbers.indexOf(each) !== index)).toEqual([]);
  // A paragraph that begins with a date or with bold words is a decision without a number: give it the next one, in its group.
  const decisions = text.slice(text.indexOf('\n## Decisions'), text.indexOf('\n### Dependencies'));
  expect(decisions.match(/^(?:- )?(?:\*\d{4}-\d\d-\d\d\*|\*\*(?!D\d+\*\*)).*$/gm) ?? []).toEqual([]);
});
