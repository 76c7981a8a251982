/** A planned failover behind Sentinel: nodes leave the old master when the new one is announced, and nothing runs twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { RedisStore } from '../../packages/carillon/src/store/redis/index.ts';
import { findOnPath, freePort } from '../support/programs.ts';
import { freshPrefix, startRedis } from '../support/redis-server.ts';
import { until } from '../support/until.ts';
import { anExecution, write } from './store-fixture.ts';

const program = findOnPath(['redis-server', 'valkey-server']);

test.runIf(program !== undefined)('writes go to the new master as soon as it is announced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-sentinel-'));
  const master = await startRedis({ appendonly: 'no' });
  if ('missing' in master) throw new Error(master.missing);
  const replica = await startRedis({ settings: ['--replicaof', '127.0.0.1', String(master.port)] });
  if ('missing' in replica) throw new Error(replica.missing);
  const port = await freePort();
  const config = join(folder, 'sentinel.conf');
  writeFileSync(
    config,
    `port ${port}\nbind 127.0.0.1\ndir ${folder}\nsentinel monitor main 127.0.0.1 ${master.port} 1\nsentinel down-after-milliseconds main 60000\n`,
  );
  const sentinel = spawn(program as string, [config, '--sentinel'], { stdio: 'ignore' });
  const asked = new Redis({ host: '127.0.0.1', port, maxRetriesPerRequest: null });
  asked.on('error', () => {});
  const old = new Redis(master.url);
  const next = new Redis(replica.url);
  const store = new RedisStore({
    url: { sentinels: [{ host: '127.0.0.1', port }], name: 'main' },
    prefix: freshPrefix(),
  });
  try {
    await until(async () =>
      String(await asked.call('SENTINEL', 'REPLICAS', 'main')).includes(String(replica.port)),
    );
    await until(async () => (await next.info('replication')).includes('master_link_status:up'));
    await store.migrate();
    await write(store, { executions: [anExecution({ id: 'before' })] });
    await until(async () => (await next.dbsize()) > 0);
    // One write after the other, through the failover and on until the old master has become a replica.
    const acknowledged: string[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let n = 0; !isOver; n++) {
        const id = `n-${n}`;
        try {
          await write(store, { executions: [anExecution({ id })] });
          acknowledged.push(id);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    })();
    await until(() => acknowledged.length > 20);
    await asked.call('SENTINEL', 'FAILOVER', 'main');
    await until(async () => (await old.info('replication')).includes('role:slave'));
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 20);
    isOver = true;
    await writing;
    const kept = new Set((await store.list({ limit: 100_000 })).items.map(({ key }) => key.id));
    const lost = acknowledged.filter((id) => !kept.has(id));
    console.log(`${acknowledged.length} acknowledged, ${lost.length} lost by the failover`);
    expect(kept.has('before')).toBe(true);
    // Without the detector the old master takes writes for some ten seconds, and nearly all of them are lost.
    expect(lost.length).toBeLessThan(acknowledged.length / 4);
  } finally {
    await store.close();
    for (const client of [asked, old, next]) client.disconnect();
    sentinel.kill('SIGKILL');
    await once(sentinel, 'exit');
    await master.stop();
    await replica.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
