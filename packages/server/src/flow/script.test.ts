import { SystemClock } from 'carillon/internal/base';
import { describe, expect, it } from 'vitest';
import { ScriptFailed, scriptRunner } from './script.ts';

const clock = new SystemClock();
const run = scriptRunner({ clock });

describe('the value of a script', () => {
  it.each([
    ['1 + 1', 2],
    ['$.a * 2', 42],
    ['(function () { return { sum: $.a + 1, list: [1, 2] }; })()', { sum: 22, list: [1, 2] }],
    ['function f() { return $.a; } f();', 21],
    ["if ($.a > 20) { 'big'; } else { 'small'; }", 'big'],
    ['undefined', null],
    ['var x = 5; x;', 5],
    ["new Date('2027-01-01T00:00:00Z').getTime()", 1_798_761_600_000],
  ])('%s', async (script, value) => {
    expect(await run({ script, input: { a: 21 } })).toEqual(value);
  });
});

it.each([
  [
    'reach this process',
    'typeof process + typeof require + typeof globalThis.fetch',
    'undefinedundefinedundefined',
  ],
  ['see another script', 'typeof leftBehind', 'undefined'],
])('a script cannot %s', async (_, script, value) => {
  await run({ script: 'globalThis.leftBehind = 1; Object.prototype.leftBehind = 1;', input: {} });
  expect(await run({ script, input: {} })).toBe(value);
});

const narrow = scriptRunner({
  clock,
  limits: { timeMs: 100, memoryBytes: 8 * 1024 * 1024, resultLength: 1000 },
});

it.each([
  ['runs for ever', 'while (true) {}', /longer than/],
  ['runs for ever in a pattern', "/(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')", /longer than/],
  ['runs for ever in one native call', 'Array(4294967295).indexOf(1)', /longer than/],
  [
    'uses all memory',
    "var all = []; while (true) all.push('x'.repeat(1000000) + all.length)",
    /memory|longer than/,
  ],
  ['exhausts the stack', 'function f() { return f(); } f();', /stack/],
  ['is no script', 'this is no script', /SyntaxError/],
  ['uses what is not there', 'nothing.here', /ReferenceError/],
  ['answers too much', "'x'.repeat(2000)", /2002 characters/],
])('a script that %s fails, and the next one runs', async (_, script, message) => {
  const failure = await narrow({ script, input: {} }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ScriptFailed);
  expect((failure as Error).message).toMatch(message);
  expect(await narrow({ script: '1', input: {} })).toBe(1);
});
