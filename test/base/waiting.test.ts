/** Waiting in virtual time: what ends a sleep, and what ends a pause after trouble. */
import { describe, expect, test } from 'vitest';
import { Backoff, Outage } from '../../packages/carillon/src/base/backoff.ts';
import { Loop } from '../../packages/carillon/src/base/loop.ts';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { Wakeup, wakeOnAbort } from '../../packages/carillon/src/base/wakeup.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';

const tick = () => new Promise<void>((resolve) => process.nextTick(resolve));

class Time {
  readonly clock = new VirtualClock(instant(1_000_000));

  async advance(ms: number): Promise<void> {
    const end = (this.clock.now() + ms) as Instant;
    await tick();
    for (let next = this.clock.nextTimer; next !== undefined && next <= end; next = this.clock.nextTimer) {
      this.clock.moveTo(next);
      this.clock.fireNext();
      await tick();
    }
    this.clock.moveTo(end);
  }
}

describe('wakeup', () => {
  test('sleeps until its time, or an earlier wish', async () => {
    const time = new Time();
    const wakeup = new Wakeup(time.clock);
    let awake = 0;
    void wakeup.sleep(100)?.then(() => awake++);
    await time.advance(99);
    expect(awake).toBe(0);
    await time.advance(1);
    expect(awake).toBe(1);
    void wakeup.sleep(Number.POSITIVE_INFINITY)?.then(() => awake++);
    wakeup.wake((time.clock.now() + 10) as Instant);
    await time.advance(10);
    expect(awake).toBe(2);
    expect(time.clock.nextTimer).toBeUndefined();
  });

  test('keeps a wish that comes while nothing sleeps, until it is forgotten', () => {
    const wakeup = new Wakeup(new Time().clock);
    wakeup.wake();
    expect(wakeup.sleep(100)).toBeUndefined();
    wakeup.forget();
    expect(wakeup.sleep(100)).toBeInstanceOf(Promise);
  });

  test('wakes at once also when the clock was set past its planned end', async () => {
    const time = new Time();
    const wakeup = new Wakeup(time.clock);
    let awake = 0;
    void wakeup.sleep(100)?.then(() => awake++);
    // The timers of a process do not notice that the clock was set.
    time.clock.moveTo((time.clock.now() + 3_600_000) as Instant);
    wakeup.wake();
    await tick();
    expect(awake).toBe(1);
  });

  test('wakes for a signal, also one that has aborted', () => {
    const wakeup = new Wakeup(new Time().clock);
    wakeOnAbort(wakeup, AbortSignal.abort());
    expect(wakeup.sleep(100)).toBeUndefined();
  });
});

test('a backoff doubles up to its bound and is reset by a success', () => {
  const backoff = new Backoff({ firstMs: 100, longestMs: 350 });
  expect([backoff.failed(), backoff.failed(), backoff.failed(), backoff.failed()]).toEqual([
    100, 200, 350, 350,
  ]);
  backoff.succeeded();
  expect(backoff.failed()).toBe(100);
});

describe('loop', () => {
  const failing = (clock: VirtualClock, outage: Outage) => {
    const turns: number[] = [];
    const loop = new Loop({
      clock,
      runOnce: async () => {
        turns.push(clock.now());
        throw new Error('away');
      },
      trouble: () => {},
      backoff: 1000,
      longestBackoff: 10_000,
      outage,
    });
    return { loop, turns };
  };

  test('no nudge shortens the pause after trouble', async () => {
    const time = new Time();
    const { loop, turns } = failing(time.clock, new Outage());
    loop.start();
    await time.advance(1);
    loop.nudge();
    await time.advance(500);
    expect(turns).toHaveLength(1);
    await time.advance(500);
    expect(turns).toHaveLength(2);
    await loop.stop();
  });

  test('the first answer that another loop gets ends the pause at once', async () => {
    const time = new Time();
    const outage = new Outage();
    const { loop, turns } = failing(time.clock, outage);
    loop.start();
    // 1, 2, 4, 8 s: in the middle of the longest pause the store comes back.
    await time.advance(9000);
    expect(turns).toHaveLength(4);
    outage.answered();
    await tick();
    expect(turns).toHaveLength(5);
    await loop.stop();
  });
});
