import { describe, expect, test } from 'vitest';
import { jsonDocuments } from './json-documents.ts';

describe('JSON with lines', () => {
  const text =
    '{\n  "owner": "me",\n  "schedules": [\n    { "id": "a",\n      "every": "1h" },\n    3\n  ]\n}\n';

  test('gives the value and the line of every field', () => {
    const [document] = jsonDocuments(text);
    expect(document?.errors).toEqual([]);
    expect(document?.value).toEqual(JSON.parse(text));
    const lines = [
      [],
      ['owner'],
      ['schedules'],
      ['schedules', 0],
      ['schedules', 0, 'every'],
      ['schedules', 1],
    ];
    expect(lines.map((path) => document?.line(path))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(document?.line(['namespace'])).toBeUndefined();
  });

  test.each([
    '{}',
    '[]',
    ' [ ] ',
    'null',
    '"a \\" b\\u00e9"',
    '[1.5e3, -2, true, false, null]',
    '{"a":{"b":[{"c":""}]}}',
    '{"__proto__":1}',
  ])('reads %s as JSON.parse does', (json) => {
    expect(jsonDocuments(json)[0]?.value).toEqual(JSON.parse(json));
  });

  test.each([
    ['{"a":1', 'a comma or } is missing', 1],
    ['{\n"a" 1}', 'a colon is missing behind "a"', 2],
    ['[1,\n]', 'a value is missing', 2],
    ['{a: 1}', 'a is not JSON', 1],
    ['{1: 1}', 'the name of a field must stand in double quotes', 1],
    ['{}\n{}', 'there is more text behind the end of the value', 2],
    ['"a\nb"', 'a value is missing', 1],
    ['owner: x', 'owner is not JSON', 1],
  ])('refuses %j', (json, message, line) => {
    expect(jsonDocuments(json)[0]?.errors).toMatchObject([{ reason: 'NOT_JSON', message, line }]);
  });

  test('a text without anything has no document', () => {
    expect(jsonDocuments(' \n')).toEqual([]);
  });
});
