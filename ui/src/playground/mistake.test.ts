import { parseCron, validateSpec } from 'carillon/spec';
import { expect, test } from 'vitest';
import { mistakeIn } from './mistake.ts';

/** The text with carets below the mistake, as people see it. */
function marked(text: string, dialect: 'unix' | 'spring' | 'temporal' | 'rrule'): string {
  const read =
    dialect === 'rrule' ? validateSpec({ rrules: [{ text }], zone: 'UTC' }) : parseCron(text, dialect);
  if (read.ok || read.problems[0] === undefined) throw new Error('this can be read');
  const found = mistakeIn(text, dialect, read.problems[0]);
  return found === undefined ? '' : `${' '.repeat(found.from)}${'^'.repeat(found.to - found.from)}`;
}

test.each([
  ['0 25 * * *', 'unix', '  ^^'],
  ['5,99 * * * *', 'unix', '  ^^'],
  ['* * * * MOO', 'unix', '        ^^^'],
  ['0 9 * *', 'unix', '       ^'],
  ['@evry 5m', 'unix', '^^^^^'],
  ['0 9 * * 1#9', 'unix', '        ^^^'],
  ['0 0 9 * * 8', 'spring', '          ^'],
  ['0 0 32 * *', 'temporal', '    ^^'],
  ['FREQ=MONTHL', 'rrule', '     ^^^^^^'],
  ['FREQ=DAILY;BYHOUR=5,25', 'rrule', '                    ^^'],
] as const)('the mistake of %s (%s) is found', (text, dialect, carets) => {
  expect(marked(text, dialect)).toBe(carets);
});

test('a message about the whole text has no place', () => {
  expect(marked('BYDAY=MO', 'rrule')).toBe('');
});
