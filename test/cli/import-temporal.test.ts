/** `carillon import temporal`: from our own Temporal door, with proofs, remarks and equal schedules afterwards. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { clockChangeWindows, compareTimes } from '../../packages/carillon/src/doctor/temporal-schedules.ts';
import { GrpcStage, schedule } from '../door/temporal/grpc-stage.ts';
import { carillon } from './command-stage.ts';

let source: GrpcStage;

beforeAll(async () => {
  source = await GrpcStage.open();
  await source.client.schedule.create(
    schedule('nightly', {
      spec: {
        cronExpressions: ['30 2 * * *'],
        timezone: 'Europe/Berlin',
        jitter: '5m',
        skip: [{ month: 'DECEMBER', dayOfMonth: 25 }],
      },
      action: {
        type: 'startWorkflow',
        workflowType: 'report',
        taskQueue: 'reports',
        workflowId: 'nightly-report',
        args: [{ full: true }],
        memo: { team: 'a' },
        workflowExecutionTimeout: '2h',
        workflowRunTimeout: '10m',
        retry: { maximumAttempts: 3, initialInterval: '2s' },
      },
      policies: { overlap: 'BUFFER_ALL', catchupWindow: '1h', pauseOnFailure: true },
      state: { paused: true, note: 'holidays', remainingActions: 5 },
      memo: { why: ['because'] },
    }),
  );
  await source.client.schedule.create(
    schedule('often', { spec: { intervals: [{ every: '90m', offset: '7m' }] } }),
  );
});
afterAll(async () => await source[Symbol.asyncDispose]());

describe('carillon import temporal', () => {
  test('prints a manifest, proves the times of a year and lists what has no counterpart', async () => {
    const said = await carillon(['import', 'temporal', source.address, '--json', '--compare', '10000']);
    const { manifest, proofs, remarks } = JSON.parse(said.stdout);
    expect([said.code, said.stderr]).toEqual([0, '']);
    expect(proofs).toMatchObject([{ id: 'nightly' }, { id: 'often' }]);
    expect(proofs[0].times).toBeGreaterThan(360);
    expect(proofs[1].times).toBeGreaterThan(5800);
    expect(manifest.schedules[0]).toMatchObject({
      id: 'nightly',
      run: 'report',
      queue: 'reports',
      workflowId: 'nightly-report',
      input: { full: true },
      retry: { attempts: 3, initial: 2000 },
      attemptTimeout: 600_000,
      timeout: 7_200_000,
      overlap: 'bufferAll',
      catchup: 3_600_000,
      pauseAfterFailures: 1,
      paused: 'holidays',
      remaining: 5,
      memo: { why: ['because'] },
    });
    const texts = remarks.map(({ message }: { readonly message: string }) => message);
    expect(texts).toContain('memo of its workflows has no counterpart and is left out');
    expect(texts).toContain(
      'its jitter is drawn anew here: the same slots, other milliseconds within the jitter',
    );
  });

  test('the applied schedules look the same to a Temporal client', async () => {
    await using target = await GrpcStage.open();
    const args = ['import', 'temporal', source.address, '--apply', '-q', '--compare', '50'];
    const said = await carillon(args, { url: target.server.url });
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('Proved: 2 schedules')]);
    const seen = async ({ client }: GrpcStage, id: string) => {
      const { spec, policies, state, memo, action } = await client.schedule.getHandle(id).describe();
      const { workflowType, taskQueue, args: sent, workflowId } = action;
      return { spec, policies, state, memo, workflowType, taskQueue, sent, workflowId };
    };
    expect(await seen(target, 'nightly')).toEqual(await seen(source, 'nightly'));
  });

  test('with --work there the workflows stay on the cluster', async () => {
    const said = await carillon(['import', 'temporal', source.address, '--json', '--work', 'there']);
    const [nightly] = JSON.parse(said.stdout).manifest.schedules;
    expect(nightly.temporal).toMatchObject({
      workflowType: 'report',
      taskQueue: 'reports',
      args: [{ full: true }],
      memo: { team: 'a' },
      executionTimeout: 7_200_000,
      runTimeout: 600_000,
      retryPolicy: { maximumAttempts: 3, initialInterval: 2000 },
    });
  });

  test('a server that does not answer is named, and so is a namespace that is not there', async () => {
    const dead = await carillon(['import', 'temporal', '127.0.0.1:1']);
    expect([dead.code, dead.stderr]).toEqual([2, expect.stringContaining('cannot read 127.0.0.1:1')]);
    const empty = await carillon(['import', 'temporal', source.address, '--from', 'nowhere']);
    expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('nowhere')]);
  });

  test('a rule without words in the message is an error, and then nothing is applied', async () => {
    await using other = await GrpcStage.open();
    await other.carillon.schedules.create('fridays', { rrule: 'FREQ=MONTHLY;BYDAY=-1FR', run: 'x' });
    const said = await carillon(['import', 'temporal', other.address, '--apply', '-q'], {
      url: other.server.url,
    });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('its rule has no words in this message');
    expect(said.stderr).toContain('Nothing was changed.');
  });
});

describe('the proof', () => {
  const spec = { cron: [{ text: '0 * * * *' }], zone: 'Europe/Berlin' };
  const at = (text: string) => instant(Date.parse(text));
  const window = { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T03:00:00Z') };
  const theirs = [1, 2, 3].map((hour) => at(`2026-01-01T0${hour}:00:00Z`));

  test('names the first time that differs, also one too many and one too few', () => {
    const compare = (times: readonly ReturnType<typeof at>[]) =>
      compareTimes(spec, { seed: '', window, theirs: times, isCut: false });
    expect(compare(theirs)).toEqual({ times: 3 });
    expect(compare(theirs.slice(0, 2)).difference).toBe('2026-01-01T03:00:00Z here, nothing more there');
    expect(compare([...theirs.slice(0, 2), at('2026-01-01T02:30:00Z'), ...theirs.slice(2)])).toEqual({
      times: 2,
      difference: '2026-01-01T03:00:00Z here, 2026-01-01T02:30:00Z there',
    });
  });

  test('a list that was cut is compared up to its last time', () => {
    const cut = { seed: '', window, theirs: theirs.slice(0, 2), isCut: true };
    expect(compareTimes(spec, cut)).toEqual({ times: 2 });
  });

  test('looks at the days around the clock changes that lie behind the compared times', () => {
    const year = { from: window.from, to: at('2027-01-01T00:00:00Z') };
    const windows = clockChangeWindows(spec, year, at('2026-05-01T00:00:00Z'));
    expect(windows).toEqual([{ from: at('2026-10-24T01:00:00Z'), to: at('2026-10-26T01:00:00Z') }]);
  });
});
