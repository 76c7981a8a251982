/** What runs of hosts cost, in commits, statements and rows: none of it depends on how many events are pending. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { Session } from '../../packages/carillon/src/store/postgres/connection.ts';
import { Connection } from '../../packages/carillon/src/store/sqlite/connection.ts';
import { describePostgres } from '../support/postgres-suite.ts';
import { describeWithRedis } from '../support/redis-server.ts';
import { HostStage } from './host-stage.ts';

afterEach(() => vi.restoreAllMocks());

function sqliteFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'host-cost-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `sqlite:${join(folder, 'host.db')}`;
}

/** Takes one event per run, `runs` times, and then finds nothing to do. `onLook` is called when a look begins, from 1. */
function taking(name: string, runs: number, onLook: (look: number) => void) {
  let look = 0;
  return defineWorkflow({ name, topics: { t: topic() } }).consumer('take', {
    subscribe: ['t'],
    prepare: async (ctx) => {
      look += 1;
      onLook(look);
      const [first] = look > runs ? [] : await ctx.peek('t', { limit: 1 });
      return { reservations: first === undefined ? [] : [{ topic: 't', ids: [first.id] }], data: null };
    },
  });
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `e${place}`, payload: { place } }));

describe('commits of a run that is started by the commit before it', () => {
  const one = { reservations: [{ topic: 't' as const, ids: ['a'] }], data: 1 };
  const nothing = { reservations: [], data: 1 };
  const bare = defineWorkflow({ name: 'w', topics: { t: topic() } });
  const change = { run: () => 1 };
  for (const [title, commits, workflow] of [
    ['only prepare', 1, bare.consumer('c', { subscribe: ['t'], prepare: () => one })],
    [
      'prepare and next',
      2,
      bare.consumer('c', { subscribe: ['t'], prepare: () => one, next: () => undefined }),
    ],
    [
      'prepare, mutate without a change, and next',
      2,
      bare.consumer('c', {
        subscribe: ['t'],
        prepare: () => one,
        mutate: () => undefined,
        next: () => undefined,
      }),
    ],
    [
      'prepare, a change recorded before and after, and next',
      4,
      bare.consumer('c', {
        subscribe: ['t'],
        prepare: () => one,
        mutate: (ctx) => ctx.change('make', change),
        next: () => undefined,
      }),
    ],
    [
      'nothing reserved, and next',
      1,
      bare.consumer('c', {
        subscribe: ['t'],
        prepare: () => nothing,
        mutate: (ctx) => ctx.change('make', change),
        next: () => undefined,
      }),
    ],
  ] as const) {
    test(`${title}: ${commits}`, async () => {
      await using stage = await HostStage.open({ workflows: [workflow] });
      const before = stage.transactions;
      await stage.publish('w', 't', 'a');
      // One more: the publication, which also starts the run.
      expect(stage.transactions - before).toBe(commits + 1);
    });
  }
});

test('without anything pending a thousand workflows cost no transaction in an hour beyond those of an idle node', async () => {
  const idle = async (workflows: number) => {
    const names = Array.from({ length: workflows }, (_, place) => `w${place}`);
    await using stage = await HostStage.open({
      workflows: names.map((name) => taking(name, 1, () => {})),
    });
    await stage.advance('1m');
    const before = stage.transactions;
    await stage.advance('1h');
    return stage.transactions - before;
  };
  expect(await idle(1000)).toBe(await idle(0));
});

/** Statements that a SQLite store executes from now on, and the rows they return. */
function countStatements(isCounted: (sql: string) => boolean) {
  const counted = { statements: 0, rows: 0, commits: 0 };
  const { statement } = Connection.prototype;
  vi.spyOn(Connection.prototype, 'statement').mockImplementation(function (this: Connection, sql) {
    const real = statement.call(this, sql);
    if (sql === 'commit')
      return {
        ...real,
        run: () => {
          counted.commits += 1;
          return real.run();
        },
      };
    if (!isCounted(sql)) return real;
    return {
      run: (...values) => {
        counted.statements += 1;
        return real.run(...values);
      },
      all: (...values) => {
        const rows = real.all(...values);
        counted.statements += 1;
        counted.rows += rows.length;
        return rows;
      },
      get: (...values) => {
        counted.statements += 1;
        return real.get(...values);
      },
    };
  });
  return counted;
}

test('on SQLite one event per run takes eight statements, and twenty workflows share their commits', async () => {
  const workflows = 20;
  const runs = 30;
  let done = () => {};
  let left = workflows;
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  // Statements on the rows of runs, workflows and events: what a node does for itself is left out.
  const counted = countStatements((sql) => /\b(runs|executions|events)\b/.test(sql));
  const names = Array.from({ length: workflows }, (_, place) => `w${place}`);
  await using carillon = await openCarillon(sqliteFile());
  const host = createHost({
    carillon,
    workflows: names.map((name) =>
      taking(name, runs, (look) => {
        if (look <= runs) return;
        left -= 1;
        if (left === 0) done();
      }),
    ),
  });
  await carillon.start();
  for (const name of names) {
    await host.pause(name);
    await host.publish(name, 't', messages(runs + 1));
  }
  Object.assign(counted, { statements: 0, rows: 0, commits: 0 });
  await Promise.all(names.map((name) => host.resume(name)));
  await finished;
  const all = workflows * runs;
  expect(counted.statements / all).toBeLessThan(9);
  expect(counted.commits / all).toBeLessThan(0.5);
});

/** What `runs` runs of one event each cost, as `cost` counts, with so many events pending. */
async function costOf(store: string, pending: number, cost: () => Promise<number> | number): Promise<number> {
  const runs = 20;
  const costs: (Promise<number> | number)[] = [];
  let done = () => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const name = `pending-${pending}`;
  await using carillon = await openCarillon(store);
  const workflow = taking(name, runs, (look) => {
    if (look === 1 || look > runs) costs.push(cost());
    if (look > runs) done();
  });
  const host = createHost({ carillon, workflows: [workflow] });
  await carillon.start();
  await host.pause(name);
  const all = messages(pending + runs);
  for (let from = 0; from < all.length; from += 1000)
    await host.publish(name, 't', all.slice(from, from + 1000));
  await host.resume(name);
  await finished;
  const [before = 0, after = 0] = await Promise.all(costs);
  expect(await host.describe(name)).toMatchObject({ pending });
  return Math.round((after - before) / runs);
}

test('on SQLite a run touches as many rows of events with 10,000 pending as with ten', async () => {
  const counted = countStatements((sql) => /\bevents\b/.test(sql) && !sql.startsWith('delete'));
  const file = sqliteFile();
  const cost = () => counted.statements * 1000 + counted.rows;
  const few = await costOf(file, 10, cost);
  // Three statements: look, look again within the commit together with the next oldest, consume.
  expect(few).toBe(3 * 1000 + 2 + 2);
  expect(await costOf(file, 10_000, cost)).toBe(few);
});

await describePostgres('on PostgreSQL', ({ url }) => {
  test('a run sends and gets as much about events with 10,000 pending as with ten, and no plan reads more', async () => {
    const counted = { statements: 0, rows: 0 };
    const plans = new Map<string, string>();
    let isExplaining = false;
    const { send } = Session.prototype;
    vi.spyOn(Session.prototype, 'send').mockImplementation(async function (this: Session, statement) {
      const { name = '', text, values = [] } = statement;
      const isRead = /^(events-|oldest-events|held-events)/.test(name);
      if (isRead && isExplaining && !plans.has(name)) {
        plans.set(name, '');
        const explained = await send.call(this, { text: `explain (analyze, format json) ${text}`, values });
        plans.set(name, JSON.stringify(explained));
      }
      const rows = await send.call(this, statement);
      if (!/^(?!sweep).*events/.test(name)) return rows;
      counted.statements += 1;
      counted.rows += rows.length;
      return rows;
    });
    const cost = () => counted.statements * 1000 + counted.rows;
    const few = await costOf(url, 10, cost);
    expect(few).toBeGreaterThan(3000);
    expect(few).toBeLessThan(6000);
    expect(await costOf(url, 10_000, cost)).toBe(few);
    isExplaining = true;
    await costOf(url, 3000, cost);
    expect([...plans.keys()].sort()).toEqual(['events-asc', 'events-by-id', 'oldest-events']);
    for (const [name, plan] of plans) expect(plan, name).not.toContain('Rows Removed by Filter');
  });
});

await describeWithRedis('on Redis', (server) => {
  test('a run takes as many commands on lines of events with 10,000 pending as with ten', async () => {
    const client = new Redis(server.url);
    onTestFinished(() => void client.disconnect());
    // Commands that read or change sorted sets, inside scripts too: lines of events are such sets.
    const cost = async () => {
      let calls = 0;
      for (const [, name = '', count = ''] of (await client.info('commandstats')).matchAll(
        /cmdstat_(\w+):calls=(\d+)/g,
      ))
        if (/^z(range|rem|add)/.test(name)) calls += Number(count);
      return calls;
    };
    const few = await costOf(server.url, 10, cost);
    expect(few).toBeGreaterThan(2);
    expect(await costOf(server.url, 10_000, cost)).toBe(few);
  });
});
