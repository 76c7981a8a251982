/** A PostgreSQL server that disappears without closing connections: nodes notice, recover, and can always be stopped. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { PostgresStore } from '../../packages/carillon/src/store/postgres/index.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { until } from '../support/until.ts';
import { FreezingProxy } from './freezing-proxy.ts';
import { anExecution, write } from './store-fixture.ts';

await describePostgres('postgres that falls silent', (server) => {
  let proxy: FreezingProxy;
  let url: string;
  let direct: string;
  beforeEach(async () => {
    const target = new URL(server.url);
    proxy = new FreezingProxy(Number(target.port));
    await proxy.open();
    const schema = `s_${randomBytes(6).toString('hex')}`;
    target.searchParams.set('schema', schema);
    direct = target.href;
    target.port = String(proxy.port);
    url = target.href;
  });
  afterEach(async () => await proxy.close());

  test('is left within its silence, and work goes on over new connections', async () => {
    const carillon = await openCarillon({ store: url });
    let fires = 0;
    carillon.handle('tick', () => {
      fires++;
    });
    await carillon.schedules.create('every-second', { every: '1s', run: 'tick' });
    await carillon.start();
    await until(async () => (fires > 1 ? true : null));
    proxy.freeze();
    const frozenAt = performance.now();
    const before = fires;
    // What had been started goes on for a moment; three more can only come over new connections.
    await until(async () => (fires > before + 3 ? true : null));
    console.log(`fires again ${Math.round(performance.now() - frozenAt)} ms after the freeze`);
    await carillon.stop();
  });

  test('does not keep a node from stopping', async () => {
    const carillon = await openCarillon({ store: url });
    let begun = false;
    carillon.handle('tick', async ({ signal }) => {
      begun = true;
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await carillon.schedules.create('every-second', { every: '1s', run: 'tick' });
    await carillon.start();
    await until(async () => (begun ? true : null));
    proxy.freeze({ newOnes: true });
    const frozenAt = performance.now();
    await carillon.stop({ drainMs: 0 });
    console.log(`stopped ${Math.round(performance.now() - frozenAt)} ms after the freeze`);
  });

  test('is noticed on the connection that listens', async () => {
    const store = new PostgresStore({ url });
    await store.migrate();
    const heard: string[] = [];
    store.subscribe((change) => heard.push(...change.keys.map(({ id }) => id)));
    await store.listening();
    const other = new PostgresStore({ url: direct });
    await other.migrate();
    proxy.freeze();
    let n = 0;
    await until(async () => {
      await write(other, { executions: [anExecution({ id: `told-${n++}` })] });
      return heard.length > 0 ? true : null;
    });
    expect(heard[0]).toMatch(/^told-/);
    await other.close();
    await store.close();
  });
});
