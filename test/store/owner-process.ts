/** Starts `owner-child.ts`, sends it commands, and waits for its output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = fileURLToPath(new URL('./owner-child.ts', import.meta.url));

export interface OwnerProcess {
  readonly pid: number;
  tell(line: string): void;
  /** The next line that matches, printed already or later; each line is returned once. Fails when the process ends before. */
  hear(pattern: RegExp): Promise<string>;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
}

export function startOwner(path: string, host?: string): OwnerProcess {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, path, ...(host === undefined ? [] : [host])],
    {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const lines: string[] = [];
  let isOver = false;
  let heard = () => {};
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    heard();
  });
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(() => {
    isOver = true;
    heard();
  });
  // Writing to a process that was killed is no failure of the test.
  child.stdin.on('error', () => {});
  return {
    pid: child.pid ?? 0,
    tell: (line) => void child.stdin.write(`${line}\n`),
    async hear(pattern) {
      for (;;) {
        const at = lines.findIndex((line) => pattern.test(line));
        if (at >= 0) return lines.splice(at, 1)[0] as string;
        if (isOver)
          throw new Error(`the process ended without saying ${pattern}; it said ${JSON.stringify(lines)}`);
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      }
    },
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
