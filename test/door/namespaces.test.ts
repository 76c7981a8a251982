/** Namespaces over HTTP and through the client: what they keep, what is taken back, what removes them, keys for them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/client.ts';
import type { CarillonError } from '../../packages/carillon/src/client/error.ts';
import type { ApiKey } from '../../packages/server/src/server/keys.ts';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { openLog } from '../../packages/server/src/server/log.ts';
import { DoorStage } from './door-stage.ts';

let stage: DoorStage;
let client: CarillonClient;
beforeAll(async () => {
  stage = await DoorStage.open();
  client = new CarillonClient({ url: stage.server.url, actor: 'Ana' });
  await client.settings.createNamespace('billing', {});
});
afterAll(async () => {
  await stage.server.stop();
});

const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as Pick<CarillonError, 'reason' | 'message' | 'problems'>;
};

describe('a namespace', () => {
  test('gets the retention of the server back by null, and the audit has the difference and the note', async () => {
    const { settings, audit } = client;
    const own = { retention: '7d', kept: '7d', keptBy: 'namespace' };
    expect(await settings.updateNamespace('billing', { retention: '7d' })).toMatchObject(own);
    // What is not given stays.
    expect(await settings.updateNamespace('billing', { description: 'invoices' })).toMatchObject(own);
    const note = 'für alle gleich';
    expect(await settings.updateNamespace('billing', { retention: null }, { note })).toMatchObject({
      description: 'invoices',
      retention: null,
      kept: '30d',
      keptBy: 'server',
    });
    const inside = new CarillonClient({ url: stage.server.url, namespace: 'billing' });
    const { items } = await inside.audit.list({ action: 'updateNamespace', brief: true });
    expect(items[0]).toMatchObject({
      actor: 'Ana',
      note,
      changes: [{ path: 'retentionMs', before: 7 * 86_400_000 }],
    });
    expect(await audit.list({ action: 'updateNamespace' })).toMatchObject({ items: [] });
  });

  test('loses description, owner and deprecation by null', async () => {
    const { settings } = client;
    await settings.createNamespace('old', { description: 'x', ownerEmail: 'x@example.com' });
    await settings.updateNamespace('old', { isDeprecated: true });
    const change = { description: null, ownerEmail: null, isDeprecated: null };
    expect(await settings.updateNamespace('old', change)).toMatchObject({
      description: '',
      ownerEmail: '',
      isDeprecated: false,
    });
    const wrong = await stage.call('/namespaces/old', { method: 'PATCH', body: { retention: 'a week' } });
    expect(wrong.body.error.problems).toMatchObject([{ path: 'retention' }]);
  });

  test('that is not there is told with the one that was meant', async () => {
    const { settings } = client;
    for (const call of [
      () => settings.namespace('biling'),
      () => settings.updateNamespace('biling', { description: 'x' }),
      () => settings.deleteNamespace('biling'),
    ]) {
      await expect(call()).rejects.toMatchObject({
        reason: 'NAMESPACE_NOT_FOUND',
        status: 404,
        message: "there is no namespace 'biling'; did you mean 'billing'?",
        didYouMean: ['billing'],
      });
    }
    expect(await settings.namespace('default')).toMatchObject({ name: 'default', kept: '30d' });
  });

  test('is removed only when nothing is at work in it', async () => {
    const { settings } = client;
    await settings.createNamespace('brief', {});
    const inside = new CarillonClient({ url: stage.server.url, namespace: 'brief' });
    await inside.schedules.create('nightly', { every: '1h', run: 'work' });
    await expect(settings.deleteNamespace('brief')).rejects.toMatchObject({
      reason: 'NAMESPACE_IN_USE',
      status: 409,
      message: expect.stringContaining("the schedule 'nightly'"),
    });
    await inside.schedules.delete('nightly');
    const { id } = await inside.runs.enqueue({ run: 'work', at: '2090-01-01T00:00:00Z' });
    const { reason, message } = await refusal(settings.deleteNamespace('brief'));
    expect([reason, message]).toEqual(['NAMESPACE_IN_USE', expect.stringContaining(`run ${id}`)]);
    await inside.runs.cancel(id);
    await settings.deleteNamespace('brief', { note: 'done' });
    expect((await settings.namespaces()).map(({ name }) => name)).not.toContain('brief');
    const { items } = await inside.audit.list({ action: 'deleteNamespace' });
    expect(items).toMatchObject([{ actor: 'Ana', note: 'done', target: 'namespace/brief' }]);
    await expect(settings.deleteNamespace('default')).rejects.toMatchObject({ reason: 'DEFAULT_NAMESPACE' });
  });
});

describe('an API key', () => {
  test('for a namespace that does not exist is refused, with its place in the list and what was meant', async () => {
    const key = { name: 'robot', role: 'worker', namespaces: ['default', 'biling', 'qwertz'] } as const;
    for (const call of [() => client.settings.createKey(key), () => client.dryRun.createKey(key)]) {
      expect(await refusal(call())).toMatchObject({
        reason: 'INVALID',
        status: 400,
        problems: [
          {
            path: 'namespaces[1]',
            reason: 'NAMESPACE_NOT_FOUND',
            message: "there is no namespace 'biling'",
            fix: "did you mean 'billing'?",
          },
          { path: 'namespaces[2]', fix: 'register the namespace first: carillon namespace create' },
        ],
      });
    }
    expect(await client.settings.keys()).toEqual([]);
    const many = Array.from({ length: 1000 }, (_, index) => `absent-${index}`);
    const { problems } = await refusal(client.settings.createKey({ ...key, namespaces: many }));
    expect(problems).toHaveLength(10);
  });

  test('may be for a namespace that was never registered and has a schedule', async () => {
    const inside = new CarillonClient({ url: stage.server.url, namespace: 'implied' });
    await inside.schedules.create('nightly', { every: '1h', run: 'work' });
    const made = await client.settings.createKey({ name: 'own', role: 'viewer', namespaces: ['implied'] });
    expect(made.namespaces).toEqual(['implied']);
    await client.settings.revokeKey('own');
  });

  test('suggests only namespaces that the caller may use', async () => {
    const secret = { all: `crl_${'a'.repeat(43)}`, part: `crl_${'b'.repeat(43)}` };
    await using locked = await DoorStage.open({
      keys: [
        { name: 'all', hash: hashKey(secret.all), role: 'admin' },
        { name: 'part', hash: hashKey(secret.part), role: 'admin', namespaces: ['salez'] },
      ],
    });
    const { url } = locked.server;
    await new CarillonClient({ url, key: secret.all }).settings.createNamespace('sales', {});
    const part = new CarillonClient({ url, key: secret.part, namespace: 'salez' });
    const { problems } = await refusal(
      part.settings.createKey({ name: 'more', role: 'viewer', namespaces: ['salez'] }),
    );
    expect(problems).toMatchObject([{ fix: 'register the namespace first: carillon namespace create' }]);
    await expect(part.settings.namespace('salez')).rejects.toMatchObject({ didYouMean: [] });
    await expect(part.settings.namespace('sales')).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
  });

  test('of the configuration for a namespace that does not exist is a warning in the log', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const log = openLog({ level: 'warn', write: (line) => lines.push(JSON.parse(line)) });
    const entry: ApiKey = {
      name: 'deploy',
      hash: hashKey('crl_x'),
      role: 'operator',
      namespaces: ['default', 'defalt'],
    };
    await using locked = await DoorStage.open({ log, keys: [entry] });
    expect(locked.server.port).toBeGreaterThan(0);
    const about = lines.filter(({ key }) => key === 'deploy');
    expect(about).toMatchObject([
      {
        namespace: 'defalt',
        didYouMean: ['default'],
        msg: expect.stringContaining('for a namespace that does not exist'),
      },
    ]);
  });
});
