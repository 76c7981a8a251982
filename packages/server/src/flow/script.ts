/**
 * Runs scripts of workflow definitions in QuickJS, compiled to WebAssembly: a separate interpreter with its own memory,
 * without access to this process. A script has the input as `$`, a bounded time and a bounded memory; its value must be
 * JSON. `Date` and `Math.random` work, because a script runs as work of a task and never inside a decision.
 *
 * The interpreter runs in a thread of its own. It interrupts most scripts that take too long, but it cannot interrupt a single
 * native call (`Array(4294967295).indexOf(1)`): then the thread is ended, and the next script gets a new one. The event loop is
 * never blocked. Scripts run one after the other.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Clock } from 'carillon/internal/base';
import { addTime } from 'carillon/internal/base';
import { threadProgram } from './script-thread.ts';

export interface ScriptLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
  /** The most characters of a result's JSON. */
  readonly resultLength: number;
}

export const scriptLimits: ScriptLimits = {
  timeMs: 1000,
  memoryBytes: 32 * 1024 * 1024,
  resultLength: 1024 * 1024,
};

/** How much longer than its time a script may hold its thread. */
const graceMs = 500;

/** The failure of a script. It is not retried, because the same input would fail again. */
export class ScriptFailed extends Error {
  override readonly name = 'ScriptFailed';
  readonly nonRetryable = true;
  /** The output of a task whose script failed. */
  readonly details: { readonly error: string };

  constructor(message: string) {
    super(message);
    this.details = { error: message };
  }
}

export interface Script {
  readonly script: string;
  readonly input: unknown;
}

/** Resolves with the JSON value of the script's last expression; undefined becomes null. Rejects with `ScriptFailed`. */
export type RunScript = (script: Script) => Promise<unknown>;

type Answer = { readonly value: string | null } | { readonly error: string };

export function scriptRunner({
  clock,
  limits = scriptLimits,
}: {
  readonly clock: Clock;
  readonly limits?: ScriptLimits;
}): RunScript {
  let thread: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async ({ script, input }: Script): Promise<unknown> => {
    thread ??= openThread(limits);
    let worker: Worker;
    try {
      worker = await thread;
    } catch (error) {
      thread = undefined;
      throw error;
    }
    const end = () => {
      thread = undefined;
      void worker.terminate();
    };
    const answer = await exchange(
      worker,
      { script, input: JSON.stringify(input ?? {}) },
      { clock, limits, end },
    );
    if ('error' in answer) throw new ScriptFailed(`Error evaluating the script \`${answer.error}\``);
    return answer.value === null ? null : (JSON.parse(answer.value) as unknown);
  };
  return (script) => {
    const answer = last.then(() => ask(script));
    last = answer.catch(() => {});
    return answer;
  };
}

async function openThread(limits: ScriptLimits): Promise<Worker> {
  const file = createRequire(import.meta.url).resolve('quickjs-emscripten');
  const worker = new Worker(threadProgram, { eval: true, workerData: { file, limits } });
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  // A thread without a script must not keep the process alive, and an ended one may still report that it was ended.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}

async function exchange(
  worker: Worker,
  script: { readonly script: string; readonly input: string },
  { clock, limits, end }: { readonly clock: Clock; readonly limits: ScriptLimits; readonly end: () => void },
): Promise<Answer> {
  worker.ref();
  let stopListening = () => {};
  try {
    return await new Promise<Answer>((resolve) => {
      const broken = (error: string) => {
        end();
        resolve({ error });
      };
      const onError = (error: Error) => broken(error.message);
      const onExit = () => broken('the thread of the script ended');
      const isLate = () => broken(`the script ran longer than ${limits.timeMs} ms`);
      const cancelTimer = clock.wakeAt(addTime(clock.now(), limits.timeMs + graceMs), isLate);
      worker.on('message', resolve);
      worker.on('error', onError);
      worker.on('exit', onExit);
      stopListening = () => {
        cancelTimer();
        worker.off('message', resolve).off('error', onError).off('exit', onExit);
      };
      worker.postMessage(script);
    });
  } finally {
    stopListening();
    worker.unref();
  }
}
