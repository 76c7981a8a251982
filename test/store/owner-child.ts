/**
 * A process that owns a SQLite store and does as it is told, a line at a time:
 * `owner-child.ts <path> [host]` opens the store and says `open <ms>` or `failed: <why>`. Then
 * `copy <from> <to>` copies a file or a folder, `commit` commits once, `commits` keeps committing until refused,
 * `close` closes the store. It says `lost <reason>` when the store tells that it was lost.
 */
import { cpSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { StoreError } from '../../packages/carillon/src/store/error.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import { aKey, anExecution, nextOf } from './store-fixture.ts';

const say = (line: string) => void writeSync(1, `${line}\n`);
const reasonOf = (error: unknown) =>
  error instanceof StoreError ? `${error.trouble} ${error.reason ?? error.message}` : String(error);

const [path = '', host] = process.argv.slice(2);
try {
  const began = performance.now();
  const store = new SqliteStore({ path, clock: new SystemClock(), ...(host === undefined ? {} : { host }) });
  await store.migrate();
  store.watch((event) => say(event.kind === 'lost' ? `lost ${event.error.reason}` : event.kind));
  say(`open ${Math.round(performance.now() - began)}`);
  await obey(store);
} catch (error) {
  say(`failed: ${error instanceof Error ? error.message : error}`);
}

async function obey(store: SqliteStore): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const [verb, from = '', to = ''] = line.split(' ');
    if (verb === 'copy') {
      cpSync(from, to, { recursive: true });
      say('copied');
    } else if (verb === 'commit') {
      await commit(store).then(
        () => say('ack'),
        (error) => say(`refused ${reasonOf(error)}`),
      );
    } else if (verb === 'commits') {
      void commitUntilRefused(store);
    } else if (verb === 'close') {
      await store.close();
      say('closed');
      return;
    }
  }
}

async function commitUntilRefused(store: SqliteStore): Promise<void> {
  let commits = 0;
  try {
    for (;;) {
      await commit(store);
      commits++;
      if (commits === 1) say('committing');
    }
  } catch (error) {
    say(`refused ${reasonOf(error)} after ${commits}`);
  }
}

/** Adds one to a counter; each value it took is named in the state. */
function commit(store: SqliteStore): Promise<void> {
  return store.transact<void>(
    { kind: 'keys', keys: [aKey('counter')] },
    {
      decide: ({ executions: [row] }) => {
        const state = JSON.stringify({ n: row === undefined ? 1 : JSON.parse(row.state).n + 1 });
        const next = row === undefined ? anExecution({ id: 'counter', state }) : nextOf(row, { state });
        return { writes: { executions: [next] }, result: undefined };
      },
    },
  );
}
