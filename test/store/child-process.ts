/** Starts `store-child.ts` and reads its output. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('./store-child.ts', import.meta.url));

/** Commit n belongs to execution `e<n mod this>`. */
export const executionCount = 20;

export interface Child {
  readonly process: ChildProcess;
  /** Every line printed so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line. */
  readonly firstLine: Promise<string>;
  /** Kills without warning; resolves when the process has ended and all its output is read. */
  kill(): Promise<void>;
}

export function startChild(...args: readonly string[]): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const firstLine = once(reader, 'line').then(([line]) => String(line));
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]);
  return {
    process: child,
    lines,
    firstLine,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
