// Programs of other languages and servers, as processes of this one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const kept = 40;

/** A process whose lines can be awaited. */
export class Program {
  lines = [];
  errors = [];
  #process;
  #ended;
  #waiting = new Set();

  constructor(command, args, options = {}) {
    this.#process = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    this.#ended = once(this.#process, 'close').catch((error) => this.errors.push(error.message));
    createInterface({ input: this.#process.stdout }).on('line', (line) => this.#heard(line));
    createInterface({ input: this.#process.stderr }).on('line', (line) => {
      this.errors.push(line);
      if (this.errors.length > kept) this.errors.shift();
    });
    this.#process.on('error', (error) => this.errors.push(error.message));
    this.#process.on('close', () => this.#changed());
  }

  get pid() {
    return this.#process.pid;
  }

  get isOver() {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  /** The first line that fits, of those already printed and those to come. */
  async line(fits, withinMs = 120_000) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, withinMs, 'late');
    });
    try {
      for (;;) {
        const found = this.lines.find(fits);
        if (found !== undefined) return found;
        if (this.isOver) throw new Error(`the program ended: ${this.errors.slice(-5).join('\n')}`);
        const changed = new Promise((resolve) => this.#waiting.add(resolve));
        if ((await Promise.race([changed, late])) === 'late')
          throw new Error(`no such line in ${withinMs} ms`);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Waits for the end by itself; the exit code. */
  async end(withinMs = 600_000) {
    const timer = setTimeout(() => this.kill(), withinMs);
    await this.#ended;
    clearTimeout(timer);
    return this.#process.exitCode ?? -1;
  }

  async kill(signal = 'SIGKILL') {
    if (!this.isOver) this.#process.kill(signal);
    await this.#ended;
  }

  #heard(line) {
    this.lines.push(line);
    this.#changed();
  }

  #changed() {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Runs a command to its end. If it fails, throws with the end of its output. */
export async function run(command, args, options = {}) {
  const { withinMs, ...rest } = options;
  const program = new Program(command, args, rest);
  const code = await program.end(withinMs);
  if (code === 0) return program.lines.join('\n');
  const said = [...program.errors, ...program.lines.slice(-10)].slice(-15).join('\n');
  throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${said}`);
}
