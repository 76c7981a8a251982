/**
 * Runs in a process of its own, for tests about processes:
 * `hold <path>` opens the store and waits to be killed; `commit <path> <first>` commits numbers from `first` on,
 * each over every table, and acknowledges each on stdout once the store has.
 */
import { writeSync } from 'node:fs';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { SqliteStore } from '../../packages/carillon/src/store/sqlite/index.ts';
import type { Store } from '../../packages/carillon/src/store/store.ts';
import { executionCount } from './child-process.ts';
import { aKey, anAudit, anEvent, anExecution, aPart, aRun, aSlot, nextOf } from './store-fixture.ts';

const [mode, path, first] = process.argv.slice(2);

if (path !== undefined && (mode === 'hold' || mode === 'commit')) {
  try {
    const store = new SqliteStore({ path, clock: new SystemClock() });
    await store.migrate();
    if (mode === 'commit') await commitForever(store, Number(first));
    say('open');
    setInterval(() => {}, 60_000);
  } catch (error) {
    say(`failed: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

async function commitForever(store: Store, from: number): Promise<void> {
  let next = from;
  for (;;) {
    // Bursts of one to eight, so that both lone and group commits are caught by the kill.
    const burst = Array.from({ length: 1 + (next % 8) }, () => next++);
    await Promise.all(burst.map((n) => commit(store, n).then(() => say(`ack ${n}`))));
  }
}

/** One commit over every table, all of it marked with the number. */
function commit(store: Store, n: number): Promise<void> {
  const id = `e${n % executionCount}`;
  const incarnation = `${id}#1`;
  return store.transact<void>(
    { kind: 'keys', keys: [aKey(id)] },
    {
      decide: ({ executions }) => {
        const [row] = executions;
        const state = JSON.stringify({ n, padding: 'x'.repeat(n % 3000) });
        const fields = { state, signals: { n }, attributes: { n }, wakeAt: instant(n) };
        return {
          writes: {
            executions: [row === undefined ? anExecution({ id, ...fields }) : nextOf(row, fields)],
            parts: [aPart({ incarnation, stamp: n, data: state })],
            slots: [aSlot({ incarnation, nominal: instant(n) })],
            newRuns: [aRun({ id: runId(n), owner: incarnation, input: state })],
            newEvents: [
              anEvent({ owner: incarnation, topic: 'commits', id: String(n), sequence: n, data: String(n) }),
            ],
            audit: [anAudit({ note: String(n) })],
          },
          result: undefined,
        };
      },
    },
  );
}

function runId(n: number): string {
  return `run-${String(n).padStart(9, '0')}`;
}

/** Written at once: what a killed process had acknowledged is in the pipe. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
