/** `dryRun=true` of everything that a person may do: the answer has its effects, and nothing is changed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/client.ts';
import { DryRunClient } from '../../packages/carillon/src/client/dry-run.ts';
import { createHost, defineWorkflow, topic } from '../../packages/carillon/src/embed/host.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { operations, prefix } from '../../packages/server/src/door/native/native-door.ts';
import { route } from '../../packages/server/src/door/native/router.ts';
import { until } from '../support/until.ts';
import { DoorStage } from './door-stage.ts';

/** Operations that cannot be rehearsed, with the reason. */
const withoutRehearsal: Readonly<Record<string, string>> = {
  startBackup: 'it changes nothing that is stored, and refuses a bad path before it writes',
  claimRuns: 'programs call it, not people: part of the protocol of workers',
  keepLeases: 'the same',
  reportRuns: 'the same',
  leaveWorker: 'the same',
  listKeys: 'it only reads',
  getBackup: 'the same',
};

function orders() {
  return defineWorkflow({ name: 'orders', topics: { placed: topic<number>() } })
    .producer('look', {
      schedule: { interval: '1h' },
      publishes: ['placed'],
      handler: async () => ({ looked: true }),
    })
    .consumer('book', {
      subscribe: ['placed'],
      prepare: async (ctx) => {
        const found = await ctx.peek('placed', { limit: 1 });
        return {
          reservations: [{ topic: 'placed' as const, ids: found.map(({ id }) => id) }],
          data: undefined,
        };
      },
      next: async () => {},
    });
}

/** The parts of a dry run's answer that do not match the schema of its operation. */
function misfits(id: string, answer: unknown): readonly unknown[] {
  const { rehearsal } = operations.find((each) => each.id === id) ?? {};
  if (rehearsal === undefined) return [`${id} has no rehearsal`];
  return rehearsal.response.safeParse(answer).error?.issues ?? [];
}

describe('dry runs', () => {
  let stage: DoorStage;
  let client: CarillonClient;
  beforeAll(async () => {
    stage = await DoorStage.open({}, {}, (carillon) => {
      createHost({ carillon, workflows: [orders()] });
    });
    client = new CarillonClient({ url: stage.server.url, actor: 'Ana' });
    await stage.create('hourly', { every: '1h' });
    await stage.create('daily', { every: undefined, cron: '0 3 * * *' });
    await until(async () => (await client.hosts.list()).items.length === 1);
  });
  afterAll(async () => await stage.server.stop());

  test('everything that changes something can be rehearsed', () => {
    const changing = operations.filter(({ method, role }) => method !== 'GET' || role !== 'viewer');
    const without = changing.filter(({ rehearsal }) => rehearsal === undefined).map(({ id }) => id);
    expect(without.sort()).toEqual(Object.keys(withoutRehearsal).sort());
  });

  // The client is called with words in place of all arguments, and the door's own router says which operation that is.
  test('the client has a method for each rehearsal, and sends each as a rehearsal', async () => {
    const asked: Record<string, string> = {};
    const recording: typeof fetch = async (input, { method = '' } = {}) => {
      const { pathname, searchParams } = new URL(String(input));
      const { operation } = route(operations, method, pathname.slice(prefix.length));
      asked[operation.id] = searchParams.get('dryRun') ?? 'no';
      return new Response('{}');
    };
    const { dryRun } = new CarillonClient({ url: 'http://127.0.0.1', fetch: recording });
    for (const name of Object.getOwnPropertyNames(DryRunClient.prototype)) {
      if (name === 'constructor' || name === 'trial') continue;
      const call = dryRun[name as keyof DryRunClient] as (...words: readonly string[]) => Promise<unknown>;
      await call.call(dryRun, 'a', 'b', 'c');
    }
    const rehearsed = operations.filter(({ rehearsal }) => rehearsal !== undefined);
    expect(asked).toEqual(Object.fromEntries(rehearsed.map(({ id }) => [id, 'true'])));
  });

  test('what is already as asked stays as it is', async () => {
    const resumed = await client.dryRun.resume('hourly');
    expect(resumed).toMatchObject({
      text: ['Nothing changes.'],
      status: { before: 'running', after: 'running' },
    });
    expect(resumed.next.after).toBe(resumed.next.before);
    await client.schedules.pause('daily');
    const paused = await client.dryRun.pause('daily');
    expect(paused.text[0]).toBe('It stays paused.');
    const many = await client.dryRun.bulk('pause', ['hourly', 'daily'], {
      until: Date.now() + 3_600_000 * 5,
    });
    expect(many.text.slice(0, 2)).toEqual(['1 pauses.', '1 stays paused.']);
    expect((await client.dryRun.release('hourly')).text).toEqual(['Nothing changes.']);
    await client.schedules.resume('daily');
  });

  test('many pause until a time', async () => {
    const until = Date.now() + 3_600_000;
    const { failed } = await client.schedules.bulk('pause', ['hourly', 'daily'], { until, note: 'lunch' });
    expect(failed).toBe(0);
    for (const id of ['hourly', 'daily']) {
      const { paused } = await client.schedules.describe(id);
      expect(paused).toMatchObject({ note: 'lunch', until: new Date(until).toISOString() });
    }
    await client.schedules.bulk('resume', ['hourly', 'daily']);
  });

  test('a bulk pause leaves the pauses of others as they are, and one pause says what it replaces', async () => {
    const until = '2090-01-01T06:00:00Z';
    await client.schedules.pause('daily', { note: 'storage moves', until });
    const { paused } = await client.schedules.describe('daily');
    const { items } = await client.schedules.bulk('pause', ['hourly', 'daily'], { note: 'all' });
    expect(items.map(({ id, ok, isChanged }) => [id, ok, isChanged])).toEqual([
      ['hourly', true, true],
      ['daily', true, false],
    ]);
    expect((await client.schedules.describe('daily')).paused).toEqual(paused);
    const { text } = await client.dryRun.pause('daily', { note: 'all' });
    expect(text).toContain('The note “storage moves” becomes “all”.');
    expect(text).toContain(`It no longer resumes by itself at ${until}.`);
    await client.schedules.bulk('resume', ['hourly', 'daily']);
  });

  test('a bulk pause whose end cannot be read is refused', async () => {
    const refused = await stage.call('/schedules:bulk', {
      body: { verb: 'pause', ids: ['hourly'], until: 'noon' },
    });
    expect(refused.body.error.problems).toMatchObject([{ path: 'until' }]);
  });

  test('runs: a cancel, an end, another run, a removal', async () => {
    const { id } = await client.runs.enqueue({ run: 'work', at: '2090-01-01T00:00:00Z' });
    for (const told of [await client.dryRun.cancelRun(id), await client.dryRun.terminateRun(id)]) {
      expect(told).toMatchObject({ text: [`Run ${id} ends at once.`], runs: [{ id, becomes: 'ended' }] });
    }
    expect((await client.runs.get(id)).state).toBe('waiting');
    await expect(client.dryRun.runAgain(id)).rejects.toMatchObject({ reason: 'RUN_NOT_FINISHED' });
    await client.runs.cancel(id);
    expect((await client.dryRun.cancelRun(id)).text).toEqual(['Nothing changes.']);
    expect((await client.dryRun.runAgain(id)).text).toEqual(["A run of 'work' is queued."]);
    expect((await client.dryRun.deleteRun(id)).text).toEqual([`Run ${id} is forgotten, with its log.`]);
    expect((await client.runs.get(id)).outcome).toBe('cancelled');
    const told = await client.dryRun.enqueueRun({ run: 'work', input: { day: 1 } });
    expect(told.text).toEqual(["A run of 'work' is queued."]);
    expect(misfits('enqueueRun', told)).toEqual([]);
    const later = await client.dryRun.enqueueRun({ run: 'work', at: '2090-01-01T00:00:00Z' });
    expect(later.text).toEqual(["A run of 'work' is queued, not before 2090-01-01T00:00:00Z."]);
    expect((await client.runs.list({ limit: 10 })).items.map((run) => run.id)).toEqual([id]);
  });

  test('a running run is asked to stop', async () => {
    const { id } = await client.runs.enqueue({ run: 'long' });
    await until(async () => (await client.runs.get(id)).state === 'leased');
    expect((await client.dryRun.cancelRun(id)).text).toEqual([`The worker of run ${id} is asked to stop.`]);
    expect((await client.runs.get(id)).state).toBe('leased');
    await client.runs.terminate(id);
  });

  test('workflows: pause, resume, publish, trigger, skip, delete', async () => {
    const before = await client.hosts.describe('orders');
    expect((await client.dryRun.pauseHost('orders')).text).toEqual([
      'The workflow pauses: only runs by hand start.',
    ]);
    expect((await client.hosts.describe('orders')).status).toBe(before.status);
    await client.hosts.pause('orders');
    expect((await client.dryRun.resumeHost('orders')).text[0]).toBe('The workflow resumes.');
    const publishing = ['orders', 'placed', { id: 'one', payload: 1 }] as const;
    expect((await client.dryRun.publishToHost(...publishing)).text).toEqual([
      "1 event is published to 'placed'.",
      'It stays pending while the workflow is paused.',
    ]);
    expect((await client.hosts.events('orders', 'placed')).items).toEqual([]);
    await client.hosts.publish(...publishing);
    expect(await client.dryRun.publishToHost(...publishing)).toEqual({
      text: ["The event 'one' is pending in 'placed' already: nothing changes."],
      runs: [],
      events: [],
    });
    expect((await client.dryRun.skipEvent('orders', 'placed', 'one')).text).toEqual([
      "The event 'one' of 'placed' is set aside for good.",
    ]);
    expect((await client.hosts.events('orders', 'placed')).items).toMatchObject([{ state: 'pending' }]);
    const triggered = await client.dryRun.triggerHost('orders', { producer: 'look' });
    expect(triggered.runs).toMatchObject([{ becomes: 'queued', producer: 'look' }]);
    expect(misfits('triggerHost', triggered)).toEqual([]);
    await expect(client.dryRun.triggerHost('orders', { producer: 'nobody' })).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    });
    await expect(client.dryRun.resolveChange('orders', { action: 'skip' })).rejects.toMatchObject({
      status: 409,
    });
    expect((await client.dryRun.deleteHost('orders')).text).toContain('The workflow is deleted.');
    expect((await client.hosts.describe('orders')).status).toBe('paused');
    expect((await client.dryRun.releaseHost('orders')).text).toEqual(['Nothing changes.']);
    const wrong = await stage.call('/hosts/orders:release', { body: { zz: 1 } });
    expect(wrong.body.error.problems).toMatchObject([{ path: 'zz', reason: 'UNKNOWN_FIELD' }]);
    await client.hosts.release('orders', { note: 'to be sure' });
    const { items } = await client.audit.list({ target: 'host/orders', action: 'release' });
    expect(items).toMatchObject([{ actor: 'Ana', door: 'rest', note: 'to be sure' }]);
  });

  test('a release from quarantine says what comes next', async () => {
    for (const [id, paused] of [
      ['broken', false],
      ['broken-paused', true],
    ] as const) {
      await stage.create(id, { every: undefined, at: '2090-01-01T00:00:00Z', paused });
      const key = { namespace: 'default', archetype: 'schedule', id };
      await internalsOf(stage.carillon).runtime.engine.transact({ kind: 'keys', keys: [key] }, (batch) => {
        for (const row of batch.rows) batch.quarantine(row, new Error('broken for the test'));
      });
    }
    expect(await client.dryRun.release('broken')).toMatchObject({
      text: [
        'The schedule leaves quarantine.',
        'Nothing starts at once: it is due next at 2090-01-01T00:00:00Z.',
      ],
      status: { before: 'quarantined', after: 'running' },
    });
    expect((await client.dryRun.release('broken-paused')).text.slice(0, 2)).toEqual([
      'The schedule leaves quarantine.',
      'It is paused.',
    ]);
    expect((await client.schedules.describe('broken')).status).toBe('quarantined');
  });

  test('a backfill is cancelled', async () => {
    await stage.create('filled', { every: '1h' });
    const range = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T05:00:00Z', ratePerMinute: 1 };
    const { id } = await client.schedules.backfill('filled', range);
    const told = await client.dryRun.cancelBackfill('filled', id);
    expect(misfits('cancelBackfill', told)).toEqual([]);
    expect((await client.schedules.describe('filled')).backfills.map((each) => each.id)).toEqual([id]);
    // The first of the six slots may have been handed over by now.
    expect(told.text).toContainEqual(
      expect.stringMatching(new RegExp(`^The backfill ${id} ends: [56] slots of it do not run\\.$`)),
    );
    expect((await client.dryRun.cancelBackfill('filled', 'none')).text).toEqual(['Nothing changes.']);
  });

  test('views: one that is new, replaced, the same, removed', async () => {
    const { views, dryRun } = client;
    const saved = await dryRun.saveView('Night', { query: 'q=night' });
    expect(saved).toEqual({ text: ["The view 'Night' is saved."], changes: [] });
    expect(misfits('saveView', saved)).toEqual([]);
    await expect(dryRun.removeView('Night')).rejects.toMatchObject({ reason: 'VIEW_NOT_FOUND' });
    await views.save('Night', { query: 'q=night' });
    expect(await dryRun.saveView('Night', { query: 'q=day' })).toEqual({
      text: ["The view 'Night', which Ana saved, is replaced."],
      changes: [{ path: 'query', before: 'q=night', after: 'q=day' }],
    });
    expect((await dryRun.saveView('Night', { query: 'q=night' })).text).toEqual([
      "The view 'Night', which Ana saved, stays as it is.",
    ]);
    expect((await dryRun.removeView('Night')).text).toEqual([
      "The view 'Night', which Ana saved, is removed for every user of the namespace.",
    ]);
    expect(await views.list()).toMatchObject([{ name: 'Night', query: 'q=night' }]);
  });

  test('keys: one that is made, one that is revoked, and no secret is shown', async () => {
    const { settings, dryRun } = client;
    for (const id of ['in-a', 'in-b']) {
      const { status } = await stage.call(`/namespaces/${id.slice(-1)}/schedules`, {
        body: { id, every: '1h', run: 'work' },
      });
      expect(status).toBe(201);
    }
    const made = await dryRun.createKey({ name: 'robot', role: 'worker', namespaces: ['a', 'b'] });
    expect(made).toEqual({ text: ["A key 'robot' with the role worker for a, b is made."], changes: [] });
    expect(misfits('createKey', made)).toEqual([]);
    expect(await settings.keys()).toEqual([]);
    await settings.createKey({ name: 'robot', role: 'viewer' });
    await expect(dryRun.createKey({ name: 'robot', role: 'viewer' })).rejects.toMatchObject({
      reason: 'KEY_EXISTS',
    });
    expect((await dryRun.revokeKey('robot')).text).toEqual([
      "The key 'robot' with the role viewer for all namespaces is revoked: callers that use it are refused.",
    ]);
    expect((await settings.keys()).map(({ name }) => name)).toEqual(['robot']);
  });

  test('namespaces: a shorter retention says what is removed', async () => {
    const { settings, dryRun } = client;
    const made = await dryRun.createNamespace('bills', { retention: '7d' });
    expect(made.text).toEqual(["The namespace 'bills' is registered.", 'Finished runs are kept for 7 days.']);
    expect(misfits('createNamespace', made)).toEqual([]);
    expect((await settings.namespaces()).map(({ name }) => name)).toEqual(['default']);
    await settings.createNamespace('bills', { description: 'paid monthly' });
    await expect(dryRun.createNamespace('bills')).rejects.toMatchObject({
      reason: 'NAMESPACE_ALREADY_EXISTS',
    });
    expect(await dryRun.updateNamespace('bills', { retention: '1d', description: '' })).toEqual({
      text: [
        'Finished runs are kept for 1 day instead of 30 days: older ones are removed.',
        'Changes description, retention.',
      ],
      changes: [
        { path: 'description', before: 'paid monthly', after: '' },
        { path: 'retention', after: '1d' },
      ],
    });
    expect((await dryRun.updateNamespace('bills', { retention: '99d' })).text[0]).toBe(
      'Finished runs are kept for 30 days: the server keeps none longer.',
    );
    expect((await dryRun.updateNamespace('bills', { description: 'paid monthly' })).text).toEqual([
      'Nothing changes.',
    ]);
    expect((await dryRun.updateNamespace('default', { isDeprecated: true })).text).toEqual([
      'Changes isDeprecated.',
    ]);
    await settings.updateNamespace('bills', { retention: '7d' });
    expect(await dryRun.updateNamespace('bills', { retention: null })).toEqual({
      text: [
        'Finished runs are kept for 30 days instead of 7 days, as the server says.',
        'Changes retention.',
      ],
      changes: [{ path: 'retention', before: '7d' }],
    });
    expect((await settings.namespace('bills')).retention).toBe('7d');
    await settings.updateNamespace('bills', { retention: null });
    expect((await dryRun.updateNamespace('bills', { retention: null })).text).toEqual(['Nothing changes.']);
    expect((await dryRun.deleteNamespace('bills')).text).toEqual(["The namespace 'bills' is removed."]);
    expect(await settings.namespaces()).toMatchObject([
      { name: 'bills', description: 'paid monthly', retention: null },
      { name: 'default', isDeprecated: false },
    ]);
  });
});
