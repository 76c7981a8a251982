import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { codeOf } from './code.ts';

const definition = {
  spec: { cron: [{ text: '0 9 * * 1-5' }], zone: 'Europe/Berlin' },
  run: 'report',
  input: { list: [1, 'two', null], 'odd key': "it's" },
  tags: [],
};

test('YAML and JSON say the same', () => {
  expect(parse(codeOf('yaml', 'nightly: report', definition))).toEqual({
    id: 'nightly: report',
    ...definition,
  });
  expect(JSON.parse(codeOf('json', 'a', definition))).toEqual({ id: 'a', ...definition });
});

test('TypeScript can be pasted', () => {
  const code = codeOf('ts', 'a', definition);
  const read = new Function('carillon', `return (async () => { return ${code.replace(/^await /, '')} })()`);
  const carillon = { schedules: { upsert: (id: string, given: object) => ({ id, given }) } };
  return expect(read(carillon)).resolves.toEqual({ id: 'a', given: definition });
});

test('commands quote what a shell would split', () => {
  expect(codeOf('cli', 'a b', {})).toContain("carillon schedule describe 'a b'");
});
