/**
 * One child process, from its start to its end. It leads its own process group, so that a stop also ends the
 * processes that it started: SIGTERM to the group, and SIGKILL after a grace period.
 *
 * It has ended when it has exited and its output is closed. Processes that it left behind may keep the output open
 * for ever; a short time after the exit this process stops reading it.
 */
import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import { addTime, second } from '../base/time.ts';
import { Tail } from './tail.ts';

export interface ChildOptions {
  readonly clock: Clock;
  readonly argv: readonly string[];
  readonly shell: boolean;
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** The bytes kept of each stream. */
  readonly outputLimit: number;
  readonly graceMs: number;
}

export interface ChildEnd {
  /** The exit code; null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: Tail;
  readonly stderr: Tail;
}

/** How long children of the ended process may keep its output open. */
const openOutputMs = second;

export class Child {
  readonly #options: ChildOptions;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #stdout: Tail;
  readonly #stderr: Tail;
  #cancelTimer: () => void = () => {};
  #stopped = false;
  #closed = false;
  /** Resolves at the end of the process; rejects when it cannot be started. */
  readonly ended: Promise<ChildEnd>;

  constructor(options: ChildOptions) {
    const { argv, shell, cwd, env, stdin, outputLimit } = options;
    this.#options = options;
    this.#stdout = new Tail(outputLimit);
    this.#stderr = new Tail(outputLimit);
    const [program = '', ...args] = argv;
    const settings: SpawnOptionsWithoutStdio = {
      env,
      detached: true,
      ...(cwd === undefined ? {} : { cwd }),
    };
    this.#process = shell
      ? spawn(argv.join(' '), { ...settings, shell: true })
      : spawn(program, args, settings);
    this.ended = this.#follow();
    // A program that does not read its input may close it at any time; that is not an error.
    this.#process.stdin.on('error', () => {});
    this.#process.stdin.end(stdin);
  }

  stop(): void {
    if (this.#stopped || this.#closed) return;
    this.#stopped = true;
    this.#signal('SIGTERM');
    this.#after(this.#options.graceMs, () => {
      this.#signal('SIGKILL');
      this.#process.stdout.destroy();
      this.#process.stderr.destroy();
    });
  }

  #follow(): Promise<ChildEnd> {
    const child = this.#process;
    child.stdout.on('data', (chunk: Buffer) => this.#stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.once('exit', () => {
      if (this.#stopped) return;
      this.#after(openOutputMs, () => {
        child.stdout.destroy();
        child.stderr.destroy();
      });
    });
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        // An error after the start (a signal that could not be sent) does not end the process.
        if (child.pid === undefined) reject(error);
      });
      child.once('close', (exitCode, signal) => {
        this.#closed = true;
        this.#cancelTimer();
        if (this.#stopped) this.#signal('SIGKILL');
        resolve({ exitCode, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  #after(ms: number, act: () => void): void {
    const { clock } = this.#options;
    this.#cancelTimer();
    this.#cancelTimer = clock.wakeAt(addTime(clock.now(), ms), act);
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone, or the platform has none.
      this.#process.kill(signal);
    }
  }
}
