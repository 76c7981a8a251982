/** The whole chain over sockets: a client makes a schedule, the server calls a URL, the URL calls back, the ledger records it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { freePort } from '../../packages/server/src/server/bind.ts';
import { readConfig } from '../../packages/server/src/server/config.ts';
import { hashKey, newKey } from '../../packages/server/src/server/keys.ts';
import { runConfig } from '../../packages/server/src/server/run-config.ts';
import { until } from '../support/until.ts';

test('a schedule over REST calls a URL, which answers later, and describe shows it', async () => {
  const called: { callback?: { url: string } }[] = [];
  const target = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      called.push(JSON.parse(text));
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  const port = await freePort('127.0.0.1', 18_080);
  const key = newKey();
  const config = readConfig({
    store: 'memory:',
    http: { port },
    publicUrl: `http://127.0.0.1:${port}/`,
    allowPrivateTargets: true,
    keys: [{ name: 'ada', hash: hashKey(key), role: 'operator' }],
    log: { level: 'silent' },
  });
  await using server = await runConfig(config, { callbackSecret: 'a secret of some length' });
  const { schedules } = new CarillonClient({ url: server.url, key });
  await schedules.create('hook', { every: '1h', http: { url, allowPrivate: true }, input: { a: 1 } });
  await schedules.trigger('hook', { note: 'try it' });
  const callback = await until(async () => called[0]?.callback);
  // It is parked, and no API key is needed to finish it.
  expect((await schedules.describe('hook')).running).toHaveLength(1);
  const answer = () =>
    fetch(callback.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"result":{"rows":7}}',
    });
  expect((await answer()).status).toBe(204);
  expect((await answer()).status).toBe(409);
  const run = await until(async () =>
    (await schedules.runs('hook', { include: 'payloads' })).items.find(({ state }) => state === 'done'),
  );
  expect(run).toMatchObject({ outcome: 'completed', result: { rows: 7 } });
  const described = await schedules.describe('hook');
  expect(described.lastResult).toEqual({ rows: 7 });
  expect(described.recent[0]).toMatchObject({ outcome: 'completed', cause: 'trigger:1' });
  expect((await schedules.audit('hook')).items[0]).toMatchObject({
    actor: 'ada',
    action: 'trigger',
    note: 'try it',
  });
  target.close();
  target.closeAllConnections();
});
