/** The effects of HTTP actions on their schedules: real requests, virtual time. */
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { until } from '../support/until.ts';
import { aTarget, aWorld, failureIn, hangs, lastRun, runsOf } from './stage.ts';
import type { Reply } from './target.ts';
import { answering, closedPort } from './target.ts';

const local = { allowPrivate: true };

describe('a start that never happens', () => {
  test('is tried ten times, gives its action back, and says so in the ledger', async () => {
    const world = await aWorld();
    const { schedules } = world.carillon();
    const url = `http://127.0.0.1:${await closedPort()}/`;
    await schedules.create('hook', { at: '2026-01-01T00:01:00Z', http: { url, ...local }, remaining: 3 });
    await world.advance('61s');
    expect(await schedules.describe('hook')).toMatchObject({ remaining: 2 });
    await world.advance('10m');
    const run = await lastRun(world.carillon(), 'hook');
    expect(run).toMatchObject({ outcome: 'failed', attempt: 10 });
    expect((await schedules.slots('hook')).items).toMatchObject([{ verdict: 'startFailed', runId: run.id }]);
    expect(await schedules.describe('hook')).toMatchObject({ remaining: 3 });
    const { text } = await schedules.explain('hook', '2026-01-01T00:01:00Z');
    expect(text).toContain('ECONNREFUSED');
  });

  test('waits longer from attempt to attempt', async () => {
    const world = await aWorld();
    const at: number[] = [];
    const target = await aTarget((_, response) => {
      at.push((world.now - Date.UTC(2026, 0, 1)) / 1000);
      response.writeHead(503).end();
    });
    await world.carillon().schedules.create('hook', { http: { url: target.url, ...local } });
    await world.carillon().schedules.trigger('hook');
    await world.advance('10m');
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  });

  test('keeps its action when the target answered', async () => {
    const world = await aWorld();
    const target = await aTarget(answering(503));
    const { schedules } = world.carillon();
    const at = '2026-01-01T00:01:00Z';
    await schedules.create('hook', { at, http: { url: target.url, ...local }, remaining: 3 });
    await world.advance('20m');
    expect((await schedules.slots('hook')).items).toMatchObject([{ verdict: 'started' }]);
    expect(await schedules.describe('hook')).toMatchObject({ remaining: 2 });
  });
});

test('a target that asks for patience gets it', async () => {
  const world = await aWorld();
  const target = await aTarget((asked, response) => {
    if (asked.headers['carillon-attempt'] === '1') response.writeHead(429, { 'retry-after': '90' }).end();
    else response.end();
  });
  await world.carillon().schedules.create('hook', { http: { url: target.url, ...local } });
  await world.carillon().schedules.trigger('hook');
  await world.advance('89s');
  expect(target.asked).toHaveLength(1);
  await world.advance('2s');
  expect(await lastRun(world.carillon(), 'hook')).toMatchObject({ outcome: 'completed', attempt: 2 });
});

test('the time limit of a request is counted in our time', async () => {
  const world = await aWorld(hangs);
  const target = await aTarget(() => {});
  const { schedules } = world.carillon();
  await schedules.create('hook', { http: { url: target.url, ...local }, retry: { attempts: 1 } });
  await schedules.trigger('hook');
  await target.until(1);
  await world.advance('29s');
  expect(await lastRun(world.carillon(), 'hook')).toMatchObject({ state: 'leased' });
  await world.advance('1s');
  const run = await lastRun(world.carillon(), 'hook');
  expect(run).toMatchObject({ outcome: 'failed', finishedAt: (Date.UTC(2026, 0, 1) + 30_000) as Instant });
  expect(failureIn(run).message).toContain('no answer within 30 s');
});

describe('overlap', () => {
  /** Answers the first request when told to, the others at once. */
  function aSlowFirst(): { reply: Reply; finish: () => void; cut: () => boolean } {
    let finish = () => {};
    let cut = false;
    let first = true;
    return {
      finish: () => finish(),
      cut: () => cut,
      reply: (_, response) => {
        if (!first) return void response.end('"later"');
        first = false;
        response.on('close', () => {
          cut = !response.writableEnded;
        });
        finish = () => void response.end('"first"');
      },
    };
  }

  async function minutely(overlap: 'skip' | 'bufferOne' | 'cancelOther' | 'terminateOther' | 'allowAll') {
    const world = await aWorld(hangs);
    const slow = aSlowFirst();
    const target = await aTarget(slow.reply);
    const http = { url: target.url, timeout: '1h', ...local };
    await world.carillon().schedules.create('hook', { every: '1m', http, overlap });
    await world.advance('60s');
    await target.until(1);
    await world.advance('60s');
    const verdicts = async () =>
      (await world.carillon().schedules.slots('hook', { order: 'ascending' })).items.map(
        ({ verdict }) => verdict,
      );
    /** Waits until the runs have come so far. */
    const reached = async (...wanted: readonly string[]) => {
      const outcomes = async () => {
        await world.settle();
        return (await runsOf(world.carillon(), 'hook')).map((run) => run.outcome ?? run.state).reverse();
      };
      await until(outcomes, (found) => isDeepStrictEqual(found, wanted));
    };
    return { world, slow, target, verdicts, reached };
  }

  test('skip', async () => {
    const { world, slow, target, verdicts, reached } = await minutely('skip');
    expect(await verdicts()).toEqual(['started', 'skippedOverlap']);
    slow.finish();
    await reached('completed');
    await world.advance('60s');
    expect(await verdicts()).toEqual(['started', 'skippedOverlap', 'started']);
    await reached('completed', 'completed');
    expect(target.asked).toHaveLength(2);
  });

  test('bufferOne', async () => {
    const { world, slow, verdicts, reached } = await minutely('bufferOne');
    expect(await verdicts()).toEqual(['started', 'buffered']);
    slow.finish();
    await world.advance('10s');
    await reached('completed', 'completed');
  });

  test('cancelOther', async () => {
    const { slow, reached, world } = await minutely('cancelOther');
    await world.advance('1s');
    await reached('cancelled', 'completed');
    // The target notices it through its own socket.
    await until(() => slow.cut());
  });

  test('terminateOther', async () => {
    const { reached, world, slow } = await minutely('terminateOther');
    await world.advance('20s');
    await reached('terminated', 'completed');
    // The target notices it through its own socket.
    await until(() => slow.cut());
  });

  test('allowAll', async () => {
    const { slow, world, reached } = await minutely('allowAll');
    await reached('leased', 'completed');
    slow.finish();
    await world.advance('1s');
    await reached('completed', 'completed');
  });
});
