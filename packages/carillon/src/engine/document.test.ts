import { expect, test } from 'vitest';
import { defineComponent, stateOf } from './component.ts';
import { readRoot } from './document.ts';

const counter = defineComponent({
  name: 'counter',
  version: 2,
  state: stateOf<{ readonly count: number }>(),
  packing: { pack: ({ count }) => [count], unpack: (packed) => ({ count: (packed as [number])[0] }) },
  upgrade: (stored) => ({ count: Number(stored) }),
});

const row = (state: unknown, version: number) =>
  JSON.stringify({ f: 1, c: { '': [state, version, 1] }, t: [], n: 1 });

test('the root of a row is read in the form of its version', () => {
  expect(readRoot(counter, row([7], 2))).toEqual({ count: 7 });
  expect(readRoot(counter, row('7', 1))).toEqual({ count: 7 });
  expect(() => readRoot(counter, row([7], 3))).toThrow('run the newer code');
  expect(readRoot(counter, row(null, 2))).toBeUndefined();
});
