/** Every example is run as a user would run it: a process of its own, on the published paths. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Examples that write a file do so below the directory for temporary files; ours is removed afterwards. */
const scratch = mkdtempSync(join(tmpdir(), 'carillon-examples-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Ends what hangs. */
const longestMs = 280_000;
const mostAtOnce = 2;

/** A line each example must print. */
const told: Readonly<Record<string, string | RegExp>> = {
  'command-action.ts': 'the slot of what was not there: startFailed',
  'http-action.ts': 'called back (204), and once more in vain (409)',
  'cancel-and-progress.ts': 'told to stop (cancelled: the disk is full) at file',
  'crash-and-recovery.ts': '00:10:52 node-1 begins attempt 2',
  // With a database it does more: examples-with-servers.test.ts.
  'cluster.ts': 'this example needs DATABASE_URL',
  'embed.ts': 'hello number 3, due at',
  'events.ts': 'ALERT: work paused itself after 2 failures',
  'explain.ts': 'skippedOverlap: It was skipped because run',
  // With a Redis it does more: test/e2e/second-walk.test.ts.
  'from-bullmq.ts': 'this example needs REDIS_URL',
  'host-batches.ts': 'shipped 10',
  'host-inbox.ts': 'ticket 2: Bob: no coffee',
  'host-payment.ts': '4000: applied, receipt {"receipt":17}',
  'last-result.ts': 'stored with the schedule: {"cursor":300}',
  'lock.ts': 'the slow one: too late, fence 2 is behind 3',
  'limited-actions.ts': 'after two more: 6 reminders',
  'missed-runs.ts': 'slots 04:00 to 05:00 (2): coalesced',
  'one-shot.ts': 'acted 1 time(s), next: null',
  'overlap-policies.ts': 'slot 02:00  started 02:00, cancelled 03:00',
  'pause-after-failures.ts': 'after an hour it is paused, after 3 failures in a row',
  'pause-and-resume.ts': "resumed with missed 'all', ran: 09:00, 10:00, 11:00",
  'periodic.ts': 'after a deploy and another day: enabled false, 96 runs',
  'priorities.ts': /^password reset, invoice, receipt, newsletter$/m,
  'queue-work.ts': 'the same request is the same run: true',
  'retries-and-timeouts.ts': '12:00:07.000 attempt 4, before: no answer number 3',
  'spec-only.ts': 'At 09:00 on Monday to Friday, except on 2026-04-03 and 2026-04-06, Europe/Berlin',
  'temporal-client.ts': 'before the office opens, Europe/Berlin: 3 reports, until the auditors are gone',
  'time-travel.test.ts': /pass 5$/m,
  'time-travel.ts': '8760 runs for 8760 different times',
  'time-zones.ts': "gap 'gapEnd': 7 Mar, 02:30 GMT-5 | 8 Mar, 03:00 GMT-4 | 9 Mar, 02:30 GMT-4",
  'trigger-and-backfill.ts': 'the backfill is done: 31 ran',
  'with-express.ts': 'bob may not: 403; ada may: 200',
  'with-fastify.ts': 'without a session: 401; beside it: my application',
  'with-hono.ts': 'a live event tells of it',
  'watched.ts': 'ended well',
  'typed-handlers.ts': '12 pages for ACME on 2026-01-05',
};

// All of them wait in one queue, so each may wait for all others.
describe.concurrent('examples', { timeout: 15 * longestMs }, () => {
  test('all of them are listed here', () => {
    const programs = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'));
    expect(programs.sort()).toEqual(Object.keys(told).sort());
  });

  for (const [file, line] of Object.entries(told)) {
    test(`${file} ends by itself and tells what happened`, async () => {
      const { code, output } = await run([join('examples', file)]);
      expect({ code, output }).toEqual({
        code: 0,
        output: typeof line === 'string' ? expect.stringContaining(line) : expect.stringMatching(line),
      });
    });
  }

  test('the time-travel tests pass under node --test', async () => {
    const args = ['--test', '--test-reporter=tap', join('examples', 'time-travel.test.ts')];
    const { code, output } = await run(args);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^# pass 5$/m) });
  });

  test('the embedding example has at most twelve lines of code', () => {
    const code = linesOf('examples/embed.ts').filter((line) => !/^(\/\*|\*|\/\/)/.test(line));
    expect(code.length).toBeLessThanOrEqual(12);
  });
});

/** A guide says where a snippet comes from in the line above it; `test/docs` compares them. */
describe('snippets in the guides', () => {
  const guides = readdirSync(join(root, 'docs', 'guides'));

  test('all of them name an example', () => {
    for (const guide of guides) {
      const text = readFileSync(join(root, 'docs', 'guides', guide), 'utf8');
      const named = text.match(/`examples\/[\w.-]+`:\n\n```ts\n/g) ?? [];
      expect({ guide, count: text.match(/^```ts$/gm)?.length ?? 0 }).toEqual({ guide, count: named.length });
    }
  });
});

function linesOf(file: string): readonly string[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

let free = mostAtOnce;
const waiting: (() => void)[] = [];

interface Ended {
  readonly code: number | string | null;
  readonly output: string;
}

async function run(args: readonly string[]): Promise<Ended> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    return await spawned(args);
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}

function spawned(args: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // A test runner that finds itself inside another one behaves differently; these processes know of neither.
    const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
      cwd: root,
      env: { ...env, TMPDIR: scratch, NO_COLOR: '1', TSX_TSCONFIG_PATH: 'tsconfig.base.json' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}
