/** Two nodes on one Redis with its log on the disk: killed, with wrong clocks, and Redis restarted under them. */
import { test } from 'vitest';
import { describeWithRedis } from '../support/redis-server.ts';
import { isFull, weather } from './chaos-report.ts';

const size = isFull
  ? { nodes: 2, schedules: 1000, seconds: 60, killEverySeconds: 5 }
  : { nodes: 2, schedules: 100, seconds: 15, killEverySeconds: 4 };

await describeWithRedis(
  'a cluster on Redis',
  (server) => {
    test('loses no slot and starts none twice', async () => {
      await weather('chaos on Redis', {
        ...size,
        url: server.url,
        seed: Math.floor(performance.timeOrigin) >>> 0,
        restartStore: () => server.restart('SIGKILL'),
        freezeSeconds: 0,
        skews: [0, 150_000],
      });
    });
  },
  { appendonly: 'always' },
);
