/** Log lines of tasks. They are lines of the task's run. */
import type { RunRow, Runtime } from 'carillon/internal/archetype';
import type { Instant } from 'carillon/internal/base';

export interface TaskLog {
  readonly text: string;
  readonly at: Instant;
}

const longestLine = 8 * 1024;
/** The most lines of one task. */
const mostLines = 1000;
/** The digits of an id that are its time in milliseconds. */
const timeDigits = 9;
const callDigits = 5;

export class TaskLogs {
  readonly #runtime: Runtime;
  #calls = 0;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** Adds lines. Returns false when the task has no run to which they could belong. */
  async add(namespace: string, taskId: string, lines: readonly string[]): Promise<boolean> {
    const run = await this.#run(namespace, taskId);
    if (run === undefined) return false;
    const { store, newId } = this.#runtime;
    const { items } = await store.logs({ runId: run.id, limit: mostLines });
    const added = lines.slice(0, Math.max(0, mostLines - items.length));
    const lease = this.#inOrder(newId());
    await store.transact(
      { kind: 'runs', ids: [run.id] },
      {
        decide: ({ now, runs: [found] }) => ({
          writes:
            found === undefined
              ? {}
              : {
                  logs: added.map((text, place) => ({
                    runId: run.id,
                    attempt: 1,
                    lease,
                    place,
                    at: now,
                    text: text.slice(0, longestLine),
                  })),
                },
          result: undefined,
        }),
      },
    );
    return true;
  }

  async list(namespace: string, taskId: string): Promise<readonly TaskLog[]> {
    const run = await this.#run(namespace, taskId);
    if (run === undefined) return [];
    const { items } = await this.#runtime.store.logs({ runId: run.id, limit: mostLines });
    return items.map(({ text, at }) => ({ text, at }));
  }

  /** An id that comes after those of earlier calls. Ids sort by time, but in any order within a millisecond. */
  #inOrder(id: string): string {
    const call = this.#calls.toString(36).padStart(callDigits, '0');
    this.#calls = (this.#calls + 1) % 36 ** callDigits;
    return `${id.slice(0, timeDigits)}${call}${id.slice(timeDigits)}`;
  }

  async #run(namespace: string, taskId: string): Promise<RunRow | undefined> {
    const { items } = await this.#runtime.store.runs({ namespace, alias: taskId, payloads: false, limit: 1 });
    return items[0];
  }
}
