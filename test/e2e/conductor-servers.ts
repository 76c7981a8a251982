/** Real servers with the Conductor door, as processes of their own. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const child = fileURLToPath(new URL('./conductor-child.mjs', import.meta.url));

export interface Noted {
  readonly schedule: string;
  readonly slot: number;
  readonly id: string;
  readonly at: number;
}

export interface ConductorServer {
  readonly url: string;
  kill(): Promise<void>;
}

export class ConductorServers {
  readonly folder = mkdtempSync(join(tmpdir(), 'conductor-servers-'));
  readonly #notes = join(this.folder, 'notes');

  constructor() {
    writeFileSync(this.#notes, '');
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** Every handler that began, on every server. */
  noted(): readonly Noted[] {
    // The last line may be half written.
    const lines = readFileSync(this.#notes, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Noted);
  }

  async start(store: string): Promise<ConductorServer> {
    const arguments_ = [child, store, this.#notes];
    const process_: ChildProcess = spawn(process.execPath, arguments_, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const kill = async () => {
      if (process_.exitCode !== null || process_.signalCode !== null) return;
      process_.kill('SIGKILL');
      await once(process_, 'exit');
    };
    onTestFinished(kill);
    const [url] = (await once(process_, 'message')) as [string];
    return { url, kill };
  }
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at JSON of every shape
  readonly body: any;
}

export async function call(
  { url }: ConductorServer,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${url}/api/scheduler${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
