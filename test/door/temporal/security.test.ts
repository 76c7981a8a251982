/** Access to the door: TLS, client certificates, API keys, roles, namespaces, rate limits. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceError } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import { Client, Connection } from '@temporalio/client';
import { google, temporal } from '@temporalio/proto';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCarillon } from '../../../packages/carillon/src/main.ts';
import { hashKey, newKey } from '../../../packages/server/src/server/keys.ts';
import type { Server, ServerOptions } from '../../../packages/server/src/server/server.ts';
import { startServer } from '../../../packages/server/src/server/server.ts';
import { addressOf, GrpcStage, schedule } from './grpc-stage.ts';
import { quietRuntime } from './quiet-runtime.ts';
import { RawClient } from './raw-client.ts';

let folder: string;
const pem = (name: string) => readFileSync(join(folder, name));
const text = (name: string) => pem(name).toString();

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
}

function sign(name: string, subject: string): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', ...curve, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`);
  const from = [
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    'names.txt',
  ];
  openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...from);
}

beforeAll(() => {
  quietRuntime();
  folder = mkdtempSync(join(tmpdir(), 'carillon-grpc-'));
  writeFileSync(join(folder, 'names.txt'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  const curve = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-x509',
    '-days',
    '2',
  ];
  openssl('req', ...curve, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority');
  sign('server', 'localhost');
  sign('client', 'billing');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function requestStatus(url: string, certificate: object, body: object): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    request(url, { method: 'POST', ca: pem('ca.pem'), ...certificate }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .once('error', reject)
      .end(JSON.stringify(body));
  });
}

async function serve(options: Omit<ServerOptions, 'carillon'>): Promise<Server> {
  return await startServer({
    port: 0,
    drainMs: 100,
    ...options,
    carillon: await openCarillon({ store: 'memory:' }),
  });
}

const admin = newKey();
const viewer = newKey();
const elsewhere = newKey();
const keys = [
  { name: 'boss', hash: hashKey(admin), role: 'admin' },
  { name: 'reader', hash: hashKey(viewer), role: 'viewer' },
  { name: 'guest', hash: hashKey(elsewhere), role: 'operator', namespaces: ['theirs'] },
] as const;

describe('TLS', () => {
  test('works for clients that trust the server’s certificate, and for no others', async () => {
    const tls = { cert: text('server.pem'), key: text('server.key') };
    await using server = await serve({ grpc: { port: 0, tls } });
    const address = addressOf(server);
    const connection = await Connection.connect({ address, tls: { serverRootCACertificate: pem('ca.pem') } });
    await new Client({ connection }).schedule.create(schedule('secret'));
    await connection.close();
    await expect(Connection.connect({ address, connectTimeout: 300 })).rejects.toThrow();
  });

  test('with client certificates only their holders come in, under the name in them', async () => {
    const tls = { cert: text('server.pem'), key: text('server.key'), clientCa: text('ca.pem') };
    const carillon = await openCarillon({ store: 'memory:' });
    await using server = await startServer({
      port: 0,
      drainMs: 100,
      grpc: { port: 0, httpPort: 0, tls },
      carillon,
    });
    const address = addressOf(server);
    const trust = { serverRootCACertificate: pem('ca.pem') };
    const pair = { clientCertPair: { crt: pem('client.pem'), key: pem('client.key') } };
    const connection = await Connection.connect({ address, tls: { ...trust, ...pair } });
    await new Client({ connection, identity: '' }).schedule.create(schedule('mutual'));
    await connection.close();
    const native = await NativeConnection.connect({ address, tls: { ...trust, ...pair } });
    await new Client({ connection: native }).schedule.getHandle('mutual').pause('over rust');
    await native.close();
    await expect(Connection.connect({ address, tls: trust, connectTimeout: 300 })).rejects.toThrow();
    const url = `${server.grpc?.http?.url}/api/v1/namespaces/default/schedules/mutual/patch`;
    const unpause = async (certificate: object) =>
      await requestStatus(url, certificate, { patch: { unpause: 'over HTTP' } });
    expect(await unpause({ cert: pem('client.pem'), key: pem('client.key') })).toBe(200);
    await expect(unpause({})).rejects.toThrow();
    const audit = await carillon.schedules.audit('mutual');
    expect(audit.items.map(({ actor, action }) => [actor, action])).toEqual([
      ['billing', 'resume'],
      ['billing', 'pause'],
      ['billing', 'create'],
    ]);
  });

  test('holders of a certificate may do what their role says', async () => {
    const tls = { cert: text('server.pem'), key: text('server.key'), clientCa: text('ca.pem') };
    await using server = await serve({ grpc: { port: 0, tls, clientCertRole: 'viewer' } });
    const connection = await Connection.connect({
      address: addressOf(server),
      tls: {
        serverRootCACertificate: pem('ca.pem'),
        clientCertPair: { crt: pem('client.pem'), key: pem('client.key') },
      },
    });
    const { workflowService } = connection;
    expect((await workflowService.listSchedules({ namespace: 'default' })).schedules).toEqual([]);
    await expect(
      workflowService.patchSchedule({ namespace: 'default', scheduleId: 'x', patch: { pause: 'x' } }),
    ).rejects.toMatchObject({ code: status.PERMISSION_DENIED });
    await connection.close();
  });
});

describe('API keys', () => {
  let server: Server;
  beforeAll(async () => {
    server = await serve({ keys, grpc: { port: 0 } });
  });
  afterAll(async () => await server.stop());

  const connect = async (apiKey?: string) =>
    await Connection.connect({
      address: addressOf(server),
      tls: false,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
  const codeOf = async (call: Promise<unknown>) =>
    await call.then(
      () => status.OK,
      (error: { code?: number; cause?: { code?: number } }) => error.cause?.code ?? error.code,
    );

  test('no caller is admitted without one, or with a wrong one', async () => {
    expect(await codeOf(connect())).toBe(status.UNAUTHENTICATED);
    expect(await codeOf(connect(newKey()))).toBe(status.UNAUTHENTICATED);
  });

  test('health needs none', async () => {
    const lazy = Connection.lazy({ address: addressOf(server), tls: false });
    expect(await lazy.healthService.check({})).toMatchObject({ status: 1 });
    await lazy.close();
  });

  test('a viewer reads and changes nothing', async () => {
    const boss = await connect(admin);
    await new Client({ connection: boss }).schedule.create(schedule('watched'));
    const connection = await connect(viewer);
    const { schedule: schedules } = new Client({ connection });
    expect((await schedules.getHandle('watched').describe()).scheduleId).toBe('watched');
    expect(await codeOf(schedules.getHandle('watched').pause())).toBe(status.PERMISSION_DENIED);
    expect(await codeOf(schedules.getHandle('watched').delete())).toBe(status.PERMISSION_DENIED);
    expect(await codeOf(schedules.create(schedule('mine')))).toBe(status.PERMISSION_DENIED);
    const deleting = connection.workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: 'any' },
    });
    expect(await codeOf(deleting)).toBe(status.PERMISSION_DENIED);
    const registering = connection.workflowService.registerNamespace({ namespace: 'new' });
    expect(await codeOf(registering)).toBe(status.PERMISSION_DENIED);
    const adding = connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: { A: 2 },
    });
    expect(await codeOf(adding)).toBe(status.PERMISSION_DENIED);
    await connection.close();
    await boss.close();
  });

  test('a key for one namespace does not open another', async () => {
    const connection = await connect(elsewhere);
    expect(await codeOf(new Client({ connection }).schedule.getHandle('watched').describe())).toBe(
      status.PERMISSION_DENIED,
    );
    await connection.close();
  });
});

test('who asks too often is told so, and is let in again', async () => {
  await using stage = await GrpcStage.open({ rateLimit: { perSecond: 1000, burst: 5 } });
  const calls = Array.from({ length: 60 }, () =>
    stage.service.getClusterInfo({}).then(
      () => 'ok',
      () => 'no',
    ),
  );
  // The client waits and retries on this status: in the end every call was served.
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['ok']));
});

test('a public address without keys or client certificates is refused, and nothing is opened', async () => {
  const carillon = await openCarillon({ store: 'memory:' });
  const grpc = { host: '0.0.0.0', port: 0 };
  await expect(startServer({ carillon, port: 0, grpc })).rejects.toThrow(/would let anyone/);
  await using server = await startServer({ carillon, port: 0, keys, grpc });
  expect(server.grpc?.port).toBeGreaterThan(0);
});

test('a port that is taken is refused, or the next one is used', async () => {
  await using first = await serve({ grpc: { port: 0 } });
  const port = first.grpc?.port ?? 0;
  await expect(serve({ grpc: { port } })).rejects.toThrow(/in use by another process/);
  await using second = await serve({ grpc: { port, whenBusy: 'next' } });
  expect(second.grpc?.port).toBeGreaterThan(port);
});

test('a call beyond the rate is RESOURCE_EXHAUSTED, with the cause in its details', async () => {
  await using server = await serve({ rateLimit: { perSecond: 0.001, burst: 2 }, grpc: { port: 0 } });
  const raw = new RawClient(addressOf(server));
  const ask = async () => await raw.call('GetSystemInfo', Buffer.alloc(0));
  await ask();
  await ask();
  const refused = await ask().catch((error: ServiceError) => error);
  expect(refused).toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  const [bytes] = (refused as ServiceError).metadata.get('grpc-status-details-bin');
  const [detail] = google.rpc.Status.decode(bytes as Buffer).details ?? [];
  const { ResourceExhaustedFailure } = temporal.api.errordetails.v1;
  expect(detail?.type_url).toMatch(/ResourceExhaustedFailure$/);
  expect(ResourceExhaustedFailure.decode(detail?.value as Uint8Array).cause).toBe(1);
  raw.close();
});
