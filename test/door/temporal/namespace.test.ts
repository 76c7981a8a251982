import type { ServiceError } from '@grpc/grpc-js';
import { Client, NamespaceNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { namespaceId } from '../../../packages/carillon/src/service/namespaces.ts';
import { GrpcStage, schedule } from './grpc-stage.ts';

let stage: GrpcStage;

beforeAll(async () => {
  stage = await GrpcStage.open();
});

afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

const names = async (pageSize = 0) => {
  const found: string[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await stage.service.listNamespaces({
      pageSize,
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    for (const { namespaceInfo } of page.namespaces) found.push(namespaceInfo?.name ?? '');
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken !== undefined);
  return found;
};

describe('namespaces', () => {
  test('the default one is always there, with an id that never changes', async () => {
    const { namespaceInfo, config } = await stage.service.describeNamespace({ namespace: 'default' });
    expect(namespaceInfo).toMatchObject({ name: 'default', state: 1, supportsSchedules: true });
    expect(namespaceInfo?.id).toBe('ba2ac9ca-319e-57b1-956c-f59aae971958');
    expect(config?.workflowExecutionRetentionTtl?.seconds?.toNumber()).toBe(30 * 86_400);
    const again = await stage.service.describeNamespace({ id: namespaceInfo?.id ?? '' });
    expect(again.namespaceInfo?.name).toBe('default');
  });

  test('an unknown one is not found, by any procedure', async () => {
    const namespace = 'nowhere';
    await expect(stage.service.describeNamespace({ namespace })).rejects.toMatchObject({
      code: 5,
      details: 'Namespace nowhere is not found.',
    });
    await expect(stage.service.describeNamespace({ id: namespaceId('nowhere') })).rejects.toMatchObject({
      code: 5,
    });
    await expect(stage.service.listWorkflowExecutions({ namespace })).rejects.toMatchObject({ code: 5 });
    await expect(stage.connection.operatorService.listSearchAttributes({ namespace })).rejects.toMatchObject({
      code: 5,
    });
    const client = new Client({ connection: stage.connection, namespace });
    await expect(client.workflow.getHandle('x').describe()).rejects.toBeInstanceOf(NamespaceNotFoundError);
  });

  test('a request without one is refused', async () => {
    await expect(stage.service.listWorkflowExecutions({})).rejects.toMatchObject({
      code: 3,
      details: 'Namespace not set on request.',
    });
  });

  test('a registered one can be used, described, changed and deprecated', async () => {
    const namespace = 'orders';
    await stage.service.registerNamespace({
      namespace,
      description: 'all about orders',
      ownerEmail: 'o@example.com',
      data: { team: 'a' },
      workflowExecutionRetentionPeriod: { seconds: (3 * 86_400) as never },
    });
    const { namespaceInfo, config } = await stage.service.describeNamespace({ namespace });
    expect(namespaceInfo).toMatchObject({
      name: namespace,
      id: namespaceId(namespace),
      description: 'all about orders',
      ownerEmail: 'o@example.com',
      data: { team: 'a' },
    });
    expect(config?.workflowExecutionRetentionTtl?.seconds?.toNumber()).toBe(3 * 86_400);

    const client = new Client({ connection: stage.connection, namespace });
    await client.schedule.create(schedule('s'));
    expect((await client.schedule.getHandle('s').describe()).scheduleId).toBe('s');

    await stage.service.updateNamespace({
      namespace,
      updateInfo: { description: 'orders only', data: { floor: '2' } },
    });
    const changed = await stage.service.describeNamespace({ namespace });
    expect(changed.namespaceInfo).toMatchObject({
      description: 'orders only',
      ownerEmail: 'o@example.com',
      data: { team: 'a', floor: '2' },
    });
    await stage.service.deprecateNamespace({ namespace });
    expect((await stage.service.describeNamespace({ namespace })).namespaceInfo?.state).toBe(2);
    const { items } = await internalsOf(stage.carillon).runtime.store.audit({
      namespace,
      target: 'namespace/orders',
      limit: 10,
    });
    expect(items.map(({ action, door }) => `${action} by ${door}`)).toEqual([
      'deprecate by temporal',
      'update by temporal',
      'register by temporal',
    ]);
  });

  test('a name is registered once; names and retention are checked', async () => {
    const register = (request: object) => stage.service.registerNamespace(request);
    await register({ namespace: 'once' });
    const error = await register({ namespace: 'once' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 6, details: 'Namespace "once" already exists' });
    const [details] = (error as ServiceError).metadata.get('grpc-status-details-bin');
    expect(String(details)).toContain('temporal.api.errordetails.v1.NamespaceAlreadyExistsFailure');
    await expect(register({ namespace: 'default' })).rejects.toMatchObject({ code: 6 });
    await expect(register({ namespace: '' })).rejects.toMatchObject({ code: 3 });
    await expect(register({ namespace: 'has space' })).rejects.toMatchObject({ code: 3 });
    const short = { namespace: 'short', workflowExecutionRetentionPeriod: { seconds: 60 } };
    await expect(register(short)).rejects.toMatchObject({ code: 3 });
    await expect(stage.service.describeNamespace({ namespace: 'short' })).rejects.toMatchObject({ code: 5 });
  });

  test('one in which schedules live by another door can be used without registering', async () => {
    const name = { namespace: 'native-life', id: 's' };
    const { carillon } = stage;
    const service = internalsOf(carillon).services.schedules;
    await carillon.schedules.create('template', { every: '1h', run: 'work' });
    const { spec, action, policy } = await service.describe({ namespace: 'default', id: 'template' });
    const rest = { note: '', description: '', owner: '', declaredBy: '', tags: [], memo: {}, attributes: {} };
    await service.create(name, { spec, action, policy, ...rest }, { actor: 'test', door: 'native' });
    const { namespaceInfo } = await stage.service.describeNamespace({ namespace: 'native-life' });
    expect(namespaceInfo?.id).toBe(namespaceId('native-life'));
    expect(await names()).not.toContain('native-life');
    await expect(stage.service.registerNamespace({ namespace: 'native-life' })).resolves.toBeDefined();
    expect(await names()).toContain('native-life');
  });

  test('they are listed by name, in pages', async () => {
    for (const namespace of ['list-b', 'list-a']) await stage.service.registerNamespace({ namespace });
    const all = await names();
    expect(all).toEqual([...all].sort());
    expect(all).toEqual(expect.arrayContaining(['default', 'list-a', 'list-b']));
    expect(await names(1)).toEqual(all);
  });
});
