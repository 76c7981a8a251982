/** The pauses of the PostgreSQL store are on the clock it is given: virtual time drives them, without a database. */
import { expect, test } from 'vitest';
import { nextTurn } from '../../packages/carillon/src/base/next-turn.ts';
import { type Instant, instant } from '../../packages/carillon/src/base/time.ts';
import type { Connections } from '../../packages/carillon/src/store/postgres/connection.ts';
import { Listener } from '../../packages/carillon/src/store/postgres/listener.ts';
import { Notifier } from '../../packages/carillon/src/store/postgres/notifier.ts';
import type { CommittedChange } from '../../packages/carillon/src/store/store.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';

/** The part of the connections that the test's subject calls; the class has private fields, hence the cast. */
const fake = (calls: Partial<Pick<Connections, 'listen' | 'single'>>) => calls as Connections;

async function advance(clock: VirtualClock, ms: number): Promise<void> {
  clock.moveTo((clock.now() + ms) as Instant);
  while (clock.fireNext());
  await nextTurn();
}

test('a listener that cannot connect tries again after 100, 200, 400 … ms of its own clock', async () => {
  const timer = new VirtualClock(instant(0));
  const attempts: Instant[] = [];
  const connections = fake({
    listen: () => {
      attempts.push(timer.now());
      return Promise.reject(new Error('no database'));
    },
  });
  const listener = new Listener({
    connections,
    channel: 'c',
    ourselves: 'me',
    heard: () => {},
    published: () => {},
    timer,
  });
  listener.open();
  await listener.ready();
  for (let ms = 0; ms < 1600; ms += 50) await advance(timer, 50);
  expect(attempts).toEqual([0, 100, 300, 700, 1500]);
  await listener.close();
  expect(timer.nextTimer).toBeUndefined();
});

test('a notifier gathers what is announced within ten milliseconds of its own clock', async () => {
  const timer = new VirtualClock(instant(0));
  let sent = 0;
  const connections = fake({
    single: async () => {
      sent += 1;
      return [];
    },
  });
  const notifier = new Notifier({ connections, channel: 'c', sender: 'me', timer });
  const change: CommittedChange = { keys: [], wakeAt: null, queues: ['q'], cancelledRuns: [] };
  notifier.announce(change);
  await nextTurn();
  notifier.announce(change);
  notifier.announce(change);
  await nextTurn();
  expect(sent).toBe(1);
  await advance(timer, 9);
  expect(sent).toBe(1);
  await advance(timer, 1);
  expect(sent).toBe(2);
  await notifier.close();
});
