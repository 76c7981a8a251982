/** Inputs that JSON would change do not compile; ordinary types do. */
import { expect, expectTypeOf, onTestFinished, test } from 'vitest';
import type { PlainData } from '../../packages/carillon/src/base/plain-data.ts';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { defineHandler, openCarillon, type RunContext } from '../../packages/carillon/src/main.ts';

interface Order {
  readonly id: string;
  readonly lines: readonly { readonly sku: string; readonly count?: number }[];
  readonly note: string | null;
  readonly parent?: Order;
}

const order: Order = { id: 'o1', lines: [{ sku: 'a' }], note: null };

async function aCarillon() {
  const carillon = await openCarillon({ store: 'memory:', onWarning: () => {} });
  onTestFinished(() => carillon.stop());
  return carillon;
}

test('interfaces, optional fields, recursion, unions, brands and unknown are accepted', async () => {
  const { runs, schedules } = await aCarillon();
  type Id = string & { readonly brand: 'Id' };
  type Shape = { readonly kind: 'circle'; readonly radius: number } | { readonly kind: 'square' };
  const unknown: unknown = { any: 'thing' };
  await runs.enqueue({ run: 'work', input: order });
  await runs.enqueue({ run: 'work', input: [order, 1, 'two', null, true] });
  await runs.enqueue({ run: 'work', input: { id: 'x' as Id, shape: { kind: 'square' } as Shape } });
  await runs.enqueue({ run: 'work', input: unknown });
  await runs.enqueue({ run: 'work', input: { level: 1 } as Record<string, unknown> });
  await schedules.upsert('s', { every: '1h', run: 'work', input: order });
  expectTypeOf<PlainData<Order>>().toExtend<Order>();
  expectTypeOf<Order>().toExtend<PlainData<Order>>();
});

test('what JSON would change does not compile, and is refused at runtime', async () => {
  const { runs, schedules } = await aCarillon();
  const refused = { problems: [{ reason: 'NOT_JSON' }] };
  // @ts-expect-error a Date becomes a text
  await expect(runs.enqueue({ run: 'work', input: { at: new Date(0) } })).rejects.toMatchObject(refused);
  // @ts-expect-error a Map becomes an empty object
  await expect(runs.enqueue({ run: 'work', input: { by: new Map([['a', 1]]) } })).rejects.toMatchObject(
    refused,
  );
  // @ts-expect-error undefined in a list becomes null
  await expect(runs.enqueue({ run: 'work', input: [1, undefined] })).rejects.toMatchObject(refused);
  class Money {
    readonly cents = 5;
    text() {
      return `${this.cents}`;
    }
  }
  // @ts-expect-error an instance loses its methods
  await expect(runs.enqueue({ run: 'work', input: new Money() })).rejects.toMatchObject(refused);
  // @ts-expect-error a bigint cannot be written
  const big = schedules.create('big', { every: '1h', run: 'work', input: { n: 5n } });
  await expect(big).rejects.toMatchObject(refused);
  // @ts-expect-error a function disappears
  const call = schedules.upsert('call', { every: '1h', run: 'work', input: { call: () => 1 } });
  await expect(call).rejects.toMatchObject(refused);
});

test('the input of a handler is checked where it is given', async () => {
  const { runs, handle } = await aCarillon().then((carillon) => ({
    runs: carillon.runs,
    handle: carillon.handle.bind(carillon),
  }));
  const typed = handle('typed', ({ input }: RunContext<Order>) => input.id);
  await runs.enqueue({ run: typed, input: order });
  const dated = defineHandler({ name: 'dated', run: ({ input }: RunContext<{ at: Date }>) => input.at });
  // @ts-expect-error no caller can give what this handler wants
  await expect(runs.enqueue({ run: dated, input: { at: new Date(0) } })).rejects.toThrow('JSON');
  const untyped = handle('untyped', () => 5);
  const run = await runs.enqueue({ run: untyped, input: order });
  expectTypeOf(run.result).toEqualTypeOf<number | null | undefined>();
  // @ts-expect-error a Date becomes a text, also where the handler accepts anything
  await expect(runs.enqueue({ run: untyped, input: { at: new Date(0) } })).rejects.toThrow('JSON');
});

test('a value that contains itself is reported as such, with its place', async () => {
  const { runs } = await aCarillon();
  const family: { name: string; children: unknown[] } = { name: 'a', children: [] };
  family.children.push({ parent: family });
  await expect(runs.enqueue({ run: 'work', input: { family } })).rejects.toMatchObject({
    problems: [{ path: 'input.family.children[0].parent', reason: 'CIRCULAR' }],
  });
  const shared = { a: 1 };
  await runs.enqueue({ run: 'work', input: { one: shared, two: shared } });
});

test('the client refuses it before it is sent', async () => {
  const client = new CarillonClient({ url: 'http://127.0.0.1:9', attempts: 1 });
  const refused = { reason: 'INVALID', problems: [{ path: 'input.at', reason: 'NOT_JSON' }] };
  // @ts-expect-error a Date becomes a text
  await expect(client.runs.enqueue({ run: 'work', input: { at: new Date(0) } })).rejects.toMatchObject(
    refused,
  );
  // @ts-expect-error a Date becomes a text
  const created = client.schedules.create('s', { every: '1h', run: 'work', input: { at: new Date(0) } });
  await expect(created).rejects.toMatchObject(refused);
});
