/**
 * A planned failover behind Sentinel: a node leaves the old master because another is announced. The old master refuses to become a
 * replica here and ends no connection, so nothing but the announcement can make the node leave it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';
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
  let isOver = false;
  try {
    await old.call('ACL', 'SETUSER', 'default', '-slaveof', '-replicaof', '-client|kill');
    await until(async () =>
      String(await asked.call('SENTINEL', 'REPLICAS', 'main')).includes(String(replica.port)),
    );
    await until(async () => (await next.info('replication')).includes('master_link_status:up'));
    await store.migrate();
    await write(store, { executions: [anExecution({ id: 'before' })] });
    await until(async () => (await next.dbsize()) > 0);
    // The node follows announcements. Sentinels show their subscribers only in the list of their clients.
    await until(async () => / sub=1 /.test(String(await asked.call('CLIENT', 'LIST'))));
    let hasLeft = false;
    store.watch(({ kind }) => {
      if (kind === 'rewound') hasLeft = true;
    });
    // One write after the other, through the failover.
    const acknowledged = { before: [] as string[], after: [] as string[] };
    const writing = (async () => {
      for (let n = 0; acknowledged.after.length < 100 && !isOver; n++) {
        const id = `n-${n}`;
        // A write that began on the old connection may be lost with it.
        const side = hasLeft ? acknowledged.after : acknowledged.before;
        try {
          await write(store, { executions: [anExecution({ id })] });
          side.push(id);
        } catch (error) {
          expect(error).toMatchObject({ name: 'StoreError', trouble: 'unavailable' });
          await nextTurn();
        }
      }
    })();
    await until(() => acknowledged.before.length > 20);
    await asked.call('SENTINEL', 'FAILOVER', 'main');
    await until(() => hasLeft);
    await writing;
    expect(await old.info('replication')).toContain('role:master');
    const kept = new Set((await store.list({ limit: 100_000 })).items.map(({ key }) => key.id));
    const lost = acknowledged.before.filter((id) => !kept.has(id));
    console.log(`${acknowledged.before.length} acknowledged before, ${lost.length} of them lost`);
    expect(kept.has('before')).toBe(true);
    expect(acknowledged.after.filter((id) => !kept.has(id))).toEqual([]);
    expect(await next.info('replication')).toContain('role:master');
  } finally {
    isOver = true;
    await store.close();
    for (const client of [asked, old, next]) client.disconnect();
    sentinel.kill('SIGKILL');
    await once(sentinel, 'exit');
    await master.stop();
    await replica.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
