import { describe, expect, test } from 'vitest';
import { parseDuration } from '../../../packages/carillon/src/base/duration.ts';
import {
  argv,
  catchup,
  dates,
  type Form,
  json,
  length,
  lengthInMs,
  lengthMs,
  readDefinition,
  whole,
  words,
  zoneOf,
} from './read-field.ts';

const problem = (form: Form, text: string) => {
  const reading = form.read(text);
  return 'problem' in reading ? reading.problem : undefined;
};

describe('a field reads', () => {
  const wholeNumber = whole(1, 10_000);
  test.each<[string, Form, string, unknown]>([
    ['JSON', json, '{"a":1}', { a: 1 }],
    ['a length', length, ' 1h30m ', '1h30m'],
    ['no late start', catchup, '0s', '0s'],
    ['any late start', catchup, 'unlimited', 'unlimited'],
    ['a length in milliseconds', lengthInMs, '90s', 90_000],
    ['a number', wholeNumber, '3', 3],
    ['tags', words, 'billing, erp,', ['billing', 'erp']],
    ['days', dates, '2026-12-24,2026-12-25', ['2026-12-24', '2026-12-25']],
    ['a zone in any case', zoneOf({}), 'europe/berlin', 'Europe/Berlin'],
    [
      'a zone that the spec brings',
      zoneOf({ zone: 'Demo/Island', zoneData: 'VFpp' }),
      'Demo/Island',
      'Demo/Island',
    ],
    ['words in quotes', argv, `sh -c "echo 'a b'" 'c d'`, ['sh', '-c', "echo 'a b'", 'c d']],
  ])('%s', (_, form, text, value) => {
    expect(form.read(text)).toEqual({ value });
  });

  test.each<[string, Form, string, string]>([
    ['JSON that is not closed', json, '{"a":1', 'not JSON'],
    ['a length without a unit', length, '90', '1h30m'],
    ['a word as length', catchup, 'always', 'unlimited'],
    ['a part of a number', wholeNumber, '1.5', 'whole number from 1 to 10,000'],
    ['zero where it means nothing', wholeNumber, '0', 'from 1'],
    ['half a day', dates, '2026-12-24, 2026-12-2', '‘2026-12-2’ is not a day'],
    ['a day that no month has', dates, '2026-02-30', '‘2026-02-30’ is not a day'],
    ['a planet', zoneOf({}), 'Mars/Olympus', 'No zone is called ‘Mars/Olympus’'],
    ['a mistyped zone', zoneOf({}), 'Europe/Berln', "Did you mean 'Europe/Berlin'"],
    ['an open quote', argv, 'sh -c "echo', 'quote'],
  ])('not %s', (_, form, text, told) => {
    expect(problem(form, text)).toContain(told);
  });

  test('nothing as no value', () => {
    for (const form of [json, length, catchup, lengthInMs, wholeNumber, words, dates, zoneOf({})]) {
      expect(form.read(' ')).toEqual({ value: undefined });
    }
  });
});

test('what is shown is read back', () => {
  const command = ['sh', '-c', 'echo "a b" \\', '', "it's"];
  expect(argv.read(argv.format(command))).toEqual({ value: command });
  expect(json.read(json.format({ a: [1] }))).toEqual({ value: { a: [1] } });
  expect(lengthInMs.read(lengthInMs.format(5_400_000))).toEqual({ value: 5_400_000 });
});

test('lengths are read as the server reads them', () => {
  for (const text of ['90s', '1h30m', '1.5h', '250ms', '2d', '10', 'h', '1h 30m', '']) {
    expect(lengthMs(text)).toBe(parseDuration(text));
  }
});

test('a definition is an object, and keeps its name', () => {
  expect(readDefinition('{"id":"a","run":"x"}', 'a')).toEqual({ id: 'a', draft: { run: 'x' } });
  expect(readDefinition('{"run":"x"}', 'a')).toEqual({ draft: { run: 'x' } });
  for (const text of ['{"id":"b","run":"x"}', '[1]', '3', '{']) {
    expect(readDefinition(text, 'a')).toHaveProperty('problem');
  }
  expect(readDefinition('', undefined)).toHaveProperty('problem');
});
