/** A Redis Cluster of two servers, of which the first has all slots; and the move of a slot from one to the other. */
import { Redis } from 'ioredis';
import { freePort } from './programs.ts';
import { type RedisServer, startRedis } from './redis-server.ts';
import { until } from './until.ts';

export interface ClusterNode {
  readonly server: RedisServer;
  readonly client: Redis;
  readonly id: string;
}

async function startNode(): Promise<ClusterNode> {
  const server = await startRedis({
    settings: [
      ...['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
      ...['--cluster-port', String(await freePort()), '--cluster-node-timeout', '60000'],
    ],
  });
  if ('missing' in server) throw new Error(`no Redis: ${server.missing}`);
  const client = new Redis(server.url);
  client.on('error', () => {});
  return { server, client, id: String(await client.cluster('MYID')) };
}

export interface SlotMove {
  readonly from: ClusterNode;
  readonly to: ClusterNode;
  /** Default 10, as `redis-cli --cluster reshard` does. */
  readonly keysAtOnce?: number;
}

/** Moves all keys of a slot, a few at a time; `begun` is called with none moved yet. */
export async function moveSlot(
  slot: number,
  { from, to, keysAtOnce = 10 }: SlotMove,
  begun: () => Promise<void>,
): Promise<number> {
  await to.client.cluster('SETSLOT', slot, 'IMPORTING', from.id);
  await from.client.cluster('SETSLOT', slot, 'MIGRATING', to.id);
  await begun();
  let moved = 0;
  for (;;) {
    const keys = (await from.client.cluster('GETKEYSINSLOT', slot, keysAtOnce)) as string[];
    if (keys.length === 0) break;
    await from.client.call('MIGRATE', '127.0.0.1', to.server.port, '', 0, 60_000, 'KEYS', ...keys);
    moved += keys.length;
  }
  await to.client.cluster('SETSLOT', slot, 'NODE', to.id);
  await from.client.cluster('SETSLOT', slot, 'NODE', to.id);
  return moved;
}

export async function startRedisCluster(): Promise<readonly [ClusterNode, ClusterNode]> {
  const [a, b] = [await startNode(), await startNode()];
  await a.client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  const [, busPort] = /@(\d+)/.exec(String(await a.client.cluster('NODES'))) ?? [];
  await b.client.call('CLUSTER', 'MEET', '127.0.0.1', String(a.server.port), String(busPort));
  for (const { client } of [a, b]) {
    await until(async () => {
      const [info, nodes] = [String(await client.cluster('INFO')), String(await client.cluster('NODES'))];
      return info.includes('cluster_state:ok') && nodes.includes(a.id) && nodes.includes(b.id);
    });
  }
  return [a, b];
}

export async function stopRedisCluster(nodes: readonly ClusterNode[]): Promise<void> {
  for (const { client, server } of nodes) {
    client.disconnect();
    await server.stop();
  }
}
