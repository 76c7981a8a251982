/** A server whose SQLite file is removed becomes unready, interrupts its handlers, and ends with exit code 1. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { openCarillon } from '../../packages/carillon/src/main.ts';
import { startServer } from '../../packages/server/src/server/server.ts';
import { runProgram } from '../cli/program.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-lost-'));
  file = join(folder, 'carillon.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a server whose file is removed', () => {
  test('is not ready, refuses writes with the reason, and interrupts its handlers', async () => {
    const carillon = await openCarillon(`sqlite:${file}`);
    const interrupted: unknown[] = [];
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    carillon.handle('wait', async ({ signal }) => {
      begin();
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          interrupted.push(signal.reason.kind);
          resolve();
        });
      });
    });
    const server = await startServer({ carillon, port: 0, drainMs: 100 });
    try {
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      await carillon.runs.enqueue({ run: 'wait' });
      await begun;
      rmSync(file);
      const lost = await server.lost;
      expect(lost).toMatchObject({ reason: 'FILE_UNLINKED', message: expect.stringContaining(file) });
      expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
      const put = await fetch(`${server.url}/api/v1/schedules/late`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ every: '1h', run: 'wait' }),
      });
      expect(put.status).toBe(503);
      expect(interrupted).toEqual(['leaseLost']);
    } finally {
      await server.stop();
    }
  });

  test('makes `carillon start` end with 1 and the reason', async () => {
    let stdout = '';
    let stderr = '';
    const ended = runProgram(['start', '--store', `sqlite:${file}`, '--http-port', '0'], {
      now: new SystemClock().now(),
      stdout: {
        write: (text) => {
          stdout += text;
          if (text.includes('"ready"')) rmSync(file);
        },
      },
      stderr: { write: (text) => (stderr += text) },
      colors: { stdout: false, stderr: false },
      env: {},
      untilAsked: () => new Promise<void>(() => {}),
    });
    expect(await ended, stdout).toBe(1);
    expect(stderr).toContain(`${file} was removed while the store was open`);
  });
});
