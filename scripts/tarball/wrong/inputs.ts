// Wrong inputs. Below each wrong line stands the error that every compiler must report, at the column of the caret.
import { type Carillon, defineHandler, type RunContext } from 'carillon';
import type { CarillonClient } from 'carillon/client';

interface Order {
  readonly id: string;
  readonly lines: readonly { readonly sku: string; readonly count?: number }[];
}
const ship = defineHandler({ name: 'ship', run: ({ input }: RunContext<Order>) => input.id });
const clean = defineHandler({
  name: 'clean',
  run: ({ input }: RunContext<{ days: number } | undefined>) => input,
});
const any = defineHandler({ name: 'any', run: () => 5 });
const lines = [{ sku: 'a' }];

export async function typed(carillon: Carillon): Promise<void> {
  const { schedules, runs } = carillon;
  const sent = carillon.handle('sent', ({ input }: RunContext<{ to: string }>) => input.to.length);

  await schedules.create('s', { every: '1h', run: ship, input: { id: 5, lines } });
  //                                                             ^ TS2322
  await schedules.upsert('s', { every: '1h', run: ship, input: 'order' });
  //                                                    ^ TS2322
  await schedules.update('s', { every: '1h', input: { id: 'o', lines: [{ sku: 1 }] }, run: ship });
  //                                                                     ^ TS2322
  await schedules.create('s', { every: '1h', run: ship });
  //                          ^ TS2345
  await schedules.create('s', { every: '1h', run: clean, input: { weeks: 1 } });
  //                                                              ^ TS2353
  await schedules.create('s', { every: '1h', run: any, input: { at: new Date() } });
  //                                                            ^ TS2322
  await schedules.create('s', { every: '1h', run: 'name', input: { at: new Date() } });
  //                                                               ^ TS2322
  await schedules.upsert('s', { every: '1h', run: sent, input: { to: 'a', from: 'b' } });
  //                                                                      ^ TS2353
  await runs.enqueue({ run: ship, input: { id: 5, lines } });
  //                                       ^ TS2322
  await runs.enqueue({ run: sent, input: null });
  //                              ^ TS2322
  await runs.enqueue({ run: sent });
  //                 ^ TS2345
  await runs.enqueue({ input: 5 });
  //                 ^ TS2345
  const order = { id: 5, lines };
  await runs.enqueue({ run: ship, input: order });
  //                              ^ TS2322
  await runs.enqueue({ run: 5, input: order });
  //                   ^ TS2322
  await schedules.create('s', { evry: '1h', run: ship, input: { id: 'o', lines } });
  //                            ^ TS2561
  await schedules.create('s', { every: '1h', overlap: 'skp', run: 'name' });
  //                                         ^ TS2820
}

export async function client({ schedules, runs }: CarillonClient): Promise<void> {
  await schedules.create('s', { every: '1h', run: 'name', input: { by: new Map([['a', 1]]) } });
  //                                                               ^ TS2322
  await runs.enqueue({ run: 'name', input: { big: 5n } });
  //                                         ^ TS2322
  await runs.enqueue({ run: 'name', input: [undefined] });
  //                                        ^ TS2322
}

/** None of these is wrong. */
export async function right({ schedules, runs }: Carillon): Promise<number | null | undefined> {
  const unknown: unknown = { id: 5 };
  await schedules.create('s', { every: '1h', run: 'name', input: { id: 5, lines } });
  await schedules.create('s', { every: '1h', run: clean });
  await schedules.create('s', { every: '1h', run: clean, input: { days: 1 } });
  await schedules.upsert('s', { every: '1h', http: { url: 'https://example.com' }, input: unknown });
  await runs.enqueue({ run: any });
  await runs.enqueue({ run: any, input: [1, null] });
  await runs.enqueue({ run: ship, input: { id: 'o', lines }, at: new Date() });
  return (await runs.wait(await runs.enqueue({ run: any }))).result;
}
