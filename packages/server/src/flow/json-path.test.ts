import { describe, expect, it } from 'vitest';
import { parsePath, readPath } from './json-path.ts';

const document = {
  order: {
    lines: [
      { sku: 'a', price: 5, tags: ['x', 'y'] },
      { sku: 'b', price: 15, tags: [] },
      { sku: 'c', price: 25 },
    ],
    'ship to': { city: 'Oslo' },
    note: null,
    count: 0,
  },
};

function read(path: string): unknown {
  const parsed = parsePath(path);
  if (!parsed.ok) throw new Error(parsed.message);
  return readPath(parsed.steps, document);
}

describe('a supported path', () => {
  it.each([
    ['order.count', 0],
    ['order.note', null],
    ['order.missing', null],
    ['order.missing.deeper', null],
    ["order['ship to'].city", 'Oslo'],
    ['order["ship to"]["city"]', 'Oslo'],
    ['order.lines[0].sku', 'a'],
    ['order.lines[-1].sku', 'c'],
    ['order.lines[9].sku', null],
    ['order.lines[-4]', null],
    ['order.lines[*].sku', ['a', 'b', 'c']],
    ['order.lines[0:2].sku', ['a', 'b']],
    ['order.lines[:-1].sku', ['a', 'b']],
    ['order.lines[-2:].sku', ['b', 'c']],
    ['order.lines[?(@.price > 10)].sku', ['b', 'c']],
    ['order.lines[?(@.price>=15)].sku', ['b', 'c']],
    ['order.lines[?(@.price < 15)].sku', ['a']],
    ['order.lines[?(@.price <= 15)].sku', ['a', 'b']],
    ["order.lines[?(@.sku == 'b')].price", [15]],
    ["order.lines[?(@['sku'] != 'b')].sku", ['a', 'c']],
    ['order.lines[?(@.nope == 1)]', []],
    ['order.lines.length()', 3],
    ['order.lines[0].tags.length()', 2],
    ['order.lines[?(@.price > 10)].length()', 2],
    ['order.count.length()', null],
    ['order[*].city', ['Oslo']],
  ])('%s', (path, value) => {
    expect(read(path)).toEqual(value);
  });
});

describe('any other path is refused with the supported forms', () => {
  it.each([
    'order..sku',
    'order.lines.sum()',
    'order.lines.length().x',
    'order.lines[?(@.price > 10 && @.sku)]',
    'order.lines[?(@.sku)]',
    "order.lines[?(@.sku =~ 'a')]",
    "order.lines['a','b']",
    'order.lines[0,1]',
    'order.lines[::2]',
    'order.lines[(@.length-1)]',
    'order.lines[',
    '$.order',
    '@.order',
    '[0]',
    '',
    'order.',
    'order lines',
    'length()',
  ])('%s', (path) => {
    const parsed = parsePath(path);
    expect(parsed).toMatchObject({ ok: false, fix: expect.stringContaining('length()') });
  });
});

it('no inherited property is found', () => {
  expect(read('order.constructor')).toBeNull();
  expect(read('order.__proto__')).toBeNull();
});
