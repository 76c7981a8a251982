/** The process of the program. This is the only file of the command line that uses `process`. */
import { createInterface } from 'node:readline/promises';
import type { Clock } from '../base/clock.ts';
import { SystemClock } from '../base/clock.ts';
import { pause } from '../base/pause.ts';
import { findCommandToken } from './command-token.ts';
import { runProgram } from './program.ts';
import type { ServerCommands } from './server-commands.ts';

/** The time between two checks of the parent process, in ms. */
const parentMs = 500;

/** Resolves at the first signal to end; a second signal ends the process at once. */
async function untilAsked(clock: Clock): Promise<void> {
  const asked = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (asked.signal.aborted) process.exit(130);
      asked.abort();
    });
  }
  // npx starts a program by a shell and hands a signal on to the shell alone: its end is all that the program sees.
  const watchMs = process.env.npm_command === 'exec' ? parentMs : Number.POSITIVE_INFINITY;
  const parent = process.ppid;
  while (!asked.signal.aborted && process.ppid === parent) await pause(clock, watchMs, asked.signal);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Asks only on a terminal, so that piped input that begins with a y is not an answer. */
async function confirm(question: string): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}

/** Runs the command that the process was started with. */
export async function runProcess(server?: ServerCommands): Promise<void> {
  const plain = (process.env.NO_COLOR ?? '') !== '';
  // A reader that closes early (`carillon next … | head -1`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const clock = new SystemClock();
  const context = {
    now: clock.now(),
    clock,
    stdout: process.stdout,
    stderr: process.stderr,
    colors: {
      stdout: !plain && process.stdout.isTTY === true,
      stderr: !plain && process.stderr.isTTY === true,
    },
    env: process.env,
    user: process.env.USER ?? process.env.USERNAME ?? '',
    untilAsked: () => untilAsked(clock),
    readInput,
    commandToken: (url: string) => findCommandToken(process.env, url),
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(process.stderr.isTTY === true ? { columns: process.stderr.columns || 80 } : {}),
    ...(process.stdin.isTTY === true && process.stderr.isTTY === true ? { confirm } : {}),
  };
  const code = await runProgram(process.argv.slice(2), context, server);
  await Promise.all([written(process.stdout), written(process.stderr)]);
  // Exits explicitly, because handlers of the user may keep timers and connections open for ever.
  process.exit(code);
}

/** Resolves when the stream is flushed, or when its reader is gone. */
function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write('', () => resolve());
  });
}
