/** Events of several processes, in virtual time and on the stores that processes share. */
import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { ClusterEvents } from '../../packages/carillon/src/service/cluster-events.ts';
import type { CarillonEvent } from '../../packages/carillon/src/service/event.ts';
import { MemoryStore } from '../../packages/carillon/src/store/memory/index.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../support/redis-server.ts';
import { exerciseClusterEvents } from './exercise-cluster-events.ts';

await describePostgres('cluster events on PostgreSQL', (server) => {
  const url = server.newDatabase();
  exerciseClusterEvents(async (name) => openCarillon({ store: await url, name, onWarning: () => {} }));
});

await describeWithRedis('cluster events on Redis', (server) => {
  const prefix = freshPrefix();
  exerciseClusterEvents((name) =>
    openCarillon({ store: `${server.url}?prefix=${prefix}`, name, onWarning: () => {} }),
  );
});

describe('lost events', () => {
  function aPair() {
    const clock = new VirtualClock(instant(0));
    const store = new MemoryStore({ clock });
    let ids = 0;
    const node = (name: string) => {
      const listeners = new Set<(event: CarillonEvent) => void>();
      const cluster = new ClusterEvents({
        store,
        clock,
        name,
        newId: () => {
          ids += 1;
          return `id${ids}`;
        },
        events: {
          subscribe: (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        },
        trouble: () => {},
      });
      const decide = (note: string) => {
        const event: CarillonEvent = {
          type: 'edited',
          namespace: 'n',
          schedule: 's',
          action: note,
          actor: 'me',
        };
        for (const listener of listeners) listener(event);
      };
      return { cluster, decide, listeners };
    };
    const advance = (ms: number) => {
      clock.moveTo(instant(clock.now() + ms));
      while (clock.fireNext()) {}
    };
    return { store, advance, a: node('a'), b: node('b') };
  }

  test('are told: a gap, a lost connection, and more than is published', async () => {
    const { store, advance, a, b } = aPair();
    await a.cluster.start();
    await b.cluster.start();
    const heard: string[] = [];
    a.cluster.subscribe((event) => {
      heard.push(
        event.type === 'missed' ? `missed ${event.count}` : event.type === 'edited' ? event.action : '',
      );
    });
    b.decide('one');
    advance(100);
    expect(heard).toEqual(['one']);
    const publish = store.publish.bind(store);
    store.publish = async () => {};
    b.decide('lost');
    advance(100);
    store.publish = publish;
    b.decide('two');
    advance(100);
    expect(heard).toEqual(['one', 'missed null', 'two']);
    for (let count = 0; count < 20; count += 1) b.decide('x'.repeat(6000));
    advance(100);
    expect(heard.filter((each) => each.startsWith('xxx'))).toHaveLength(10);
    expect(heard.at(-1)).toBe('missed 10');
  });

  test('nothing is gathered any more when no process has listened for a while', async () => {
    const { advance, a, b } = aPair();
    await a.cluster.start();
    await b.cluster.start();
    expect(b.listeners.size).toBe(0);
    const leave = a.cluster.subscribe(() => {});
    expect(b.listeners.size).toBe(1);
    advance(60_000);
    b.decide('still');
    advance(100);
    expect(b.listeners.size).toBe(1);
    leave();
    advance(60_000);
    b.decide('last');
    advance(100);
    expect(b.listeners.size).toBe(0);
  });
});
