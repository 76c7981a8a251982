import { expect, test } from 'vitest';
import { ServiceError } from '../../packages/carillon/src/base/error.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { VirtualClock } from '../../packages/carillon/src/testing/virtual-clock.ts';
import {
  daySchedules,
  isAboutUnattended,
  unattendedId,
} from '../../packages/server/src/cli/demo/day-schedules.ts';
import { openLog } from '../../packages/server/src/server/log.ts';
import { LogSampler } from '../../packages/server/src/server/log-sampler.ts';
import { DoorStage } from '../door/door-stage.ts';

// biome-ignore lint/suspicious/noExplicitAny: lines have every shape
type Line = Record<string, any>;

function aLog(level: Parameters<typeof openLog>[0]['level']) {
  const lines: Line[] = [];
  const raw: string[] = [];
  const write = (line: string) => {
    raw.push(line);
    lines.push(JSON.parse(line) as Line);
  };
  return { lines, raw, log: openLog({ level, write }) };
}

const runDone = (id: string) =>
  [`/schedules/${id}/runs`, ({ body }: Line) => body.items[0]?.state === 'done'] as const;

test('a run that failed is a warning with everything one needs to find it', async () => {
  const { lines, log } = aLog('warn');
  await using stage = await DoorStage.open({ log });
  await stage.create('bad', { run: 'fail' });
  await stage.call('/schedules/bad:trigger', { method: 'POST' });
  await stage.until(...runDone('bad'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 'warn',
    msg: 'run failed',
    namespace: 'default',
    schedule: 'bad',
    runId: expect.any(String),
    workflowId: expect.stringContaining('bad-'),
    nominal: expect.stringMatching(/Z$/),
    cause: 'trigger:1',
    attempt: 1,
    outcome: 'failed',
    error: 'on purpose',
  });
});

test('an attempt that will be repeated is logged as such, also without a schedule', async () => {
  const { lines, log } = aLog('info');
  await using stage = await DoorStage.open({ log });
  await stage.create('bad', { run: 'fail', retry: { attempts: 2, initial: 1 } });
  await stage.call('/schedules/bad:trigger', { method: 'POST' });
  await stage.until(...runDone('bad'));
  const { body } = await stage.call('/runs', { body: { run: 'fail' } });
  await stage.until(`/runs/${body.id}`, (heard) => heard.body.state === 'done');
  const told = lines.filter(({ msg }) => /failed/.test(String(msg)));
  expect(told.map(({ level, msg, attempt, schedule }) => [level, msg, attempt, schedule])).toEqual([
    ['info', 'attempt failed', 1, 'bad'],
    ['warn', 'run failed', 2, 'bad'],
    ['warn', 'run failed', 1, undefined],
  ]);
});

test('fired occurrences are logged at level debug', async () => {
  const { lines, log } = aLog('debug');
  await using stage = await DoorStage.open({ log });
  await stage.create('a', { priority: 'high' });
  await stage.call('/schedules/a:trigger', { method: 'POST' });
  await stage.until(...runDone('a'));
  expect(lines.find(({ msg }) => msg === 'started')).toMatchObject({
    level: 'debug',
    schedule: 'a',
    name: 'work',
    queue: 'default',
    priority: 100,
    runId: expect.any(String),
    nominal: expect.stringMatching(/Z$/),
    lateByMs: 0,
  });
  expect(lines.find(({ msg }) => msg === 'finished')).toMatchObject({ outcome: 'completed', attempt: 1 });
});

test('a thousand failures are a few lines and a number', () => {
  const clock = new VirtualClock(instant(0));
  const lines: string[] = [];
  const summaries: unknown[] = [];
  const sampler = new LogSampler({ clock, summarise: (left, byKey) => summaries.push([left, byKey]) });
  for (let n = 0; n < 1000; n += 1) sampler.write('noisy', () => lines.push('noisy'));
  sampler.write('quiet', () => lines.push('quiet'));
  expect(lines.filter((each) => each === 'noisy')).toHaveLength(5);
  expect(lines).toContain('quiet');
  expect(summaries).toEqual([]);
  clock.moveTo(instant(10_000));
  while (clock.fireNext());
  expect(summaries).toEqual([[995, [['noisy', 995]]]]);
  sampler.write('noisy', () => lines.push('again'));
  expect(lines).toContain('again');
});

test('the log of dev leaves out the demo’s work without a worker, and nothing else', () => {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  const log = openLog({ level: 'warn', write, leavesOut: isAboutUnattended });
  const { run, queue } = daySchedules[unattendedId] ?? {};
  log.warn({ queue, name: run, runs: 1 }, 'waits');
  log.child({ node: 'dev' }).warn({ queue, name: run }, 'waits');
  log.warn({ queue, name: 'search.rebiuld', runs: 1 }, 'waits');
  log.warn({ queue: 'default', name: run }, 'waits');
  log.error('a line without fields');
  expect(lines.map(({ name, msg }) => name ?? msg)).toEqual([
    'search.rebiuld',
    'search.rebuild',
    'a line without fields',
  ]);
});

test('neither keys nor callback tokens reach the log', async () => {
  const { lines, raw, log } = aLog('debug');
  await using stage = await DoorStage.open(
    { log },
    { callbackSecret: 'a secret for callbacks, long enough' },
  );
  await stage.raw('/callbacks/tok_hidden', { method: 'POST', body: { outcome: 'completed' } });
  await stage.call('/schedules', { headers: { authorization: 'Bearer crl_hidden', 'x-api-key': 'hidden' } });
  const headers = { authorization: 'Bearer crl_hidden', 'x-api-key': 'hidden', accept: 'x' };
  log.error({ err: Object.assign(new Error('odd'), { headers, request: { headers } }) }, 'odd');
  log.error({ headers, password: 'hidden', cause: { secret: 'hidden', leaseToken: 'hidden' } }, 'odd');
  log.error({ err: ServiceError.from(Object.assign(new Error('odd'), { password: 'hidden' })) }, 'odd');
  await stage.until('/about', () => lines.some(({ url }) => url === '/callbacks/…'));
  expect(raw.join('')).toContain('[Redacted]');
  expect(raw.join('')).not.toContain('hidden');
});
