/** Values written where secrets belong are never shown: over REST, gRPC and the command line, for every role. */
import { Connection } from '@temporalio/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { redacted } from '../../packages/carillon/src/action/redaction.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { ApiKey } from '../../packages/server/src/server/keys.ts';
import { hashKey, newKey } from '../../packages/server/src/server/keys.ts';
import { carillon as commandLine } from '../cli/command-stage.ts';
import { until } from '../support/until.ts';
import { DoorStage } from './door-stage.ts';

const secret = { viewer: newKey(), operator: newKey(), admin: newKey() };
const keys: readonly ApiKey[] = (['viewer', 'operator', 'admin'] as const).map((role) => ({
  name: role,
  hash: hashKey(secret[role]),
  role,
}));
const bearer = (role: keyof typeof secret) => ({ authorization: `Bearer ${secret[role]}` });

const http = {
  url: 'https://hooks.example/x?team=a&access_token=hush-1&page=2',
  headers: { Authorization: 'Bearer hush-2', 'X-Api-Key': 'hush-3', accept: 'text/plain' },
};
const command = { argv: ['true'], env: { PASSWORD: 'hush-4', EMPTY: '' } };

async function aStage(): Promise<DoorStage> {
  const stage = await DoorStage.open(
    { keys, grpc: { port: 0 } },
    { http: false, command: false, allowCommands: true },
  );
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const headers = bearer('operator');
  const hook = await stage.call('/schedules/hook', { method: 'PUT', headers, body: { every: '1h', http } });
  expect(hook.status).toBe(201);
  expect(
    hook.body.warnings.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
  ).toEqual([
    ['http.url?access_token', 'SECRET_IN_DEFINITION'],
    ['http.headers.authorization', 'SECRET_IN_DEFINITION'],
    ['http.headers.x-api-key', 'SECRET_IN_DEFINITION'],
  ]);
  const program = await stage.call('/schedules', { headers, body: { id: 'program', every: '1h', command } });
  expect(program.body.warnings).toMatchObject([{ path: 'command.env.PASSWORD' }]);
  // Old values in the audit, and a run of each.
  const changed = { http: { ...http, headers: { Authorization: 'Bearer hush-5' } } };
  await stage.call('/schedules/hook', { method: 'PATCH', headers, body: changed });
  for (const id of ['hook', 'program']) {
    await stage.call(`/schedules/${id}:trigger`, { method: 'POST', headers });
    await until(async () => {
      const { body } = await stage.call(`/schedules/${id}/runs`, { headers });
      return body.items.length === 1;
    });
  }
  return stage;
}

describe.each(['viewer', 'operator', 'admin'] as const)('for a %s', (role) => {
  test('no answer of the REST API holds a value', async () => {
    const stage = await aStage();
    const answers: string[] = [];
    const { items: runs } = (await stage.call('/runs', { headers: bearer(role) })).body;
    expect(runs).toHaveLength(2);
    for (const path of [
      '/schedules',
      ...['hook', 'program'].flatMap((id) =>
        ['', '/definition', '/runs', '/audit', '/slots'].map((rest) => `/schedules/${id}${rest}`),
      ),
      '/audit',
      '/runs',
      '/runs?include=payloads',
      ...runs.map(({ id }: { id: string }) => `/runs/${id}`),
    ]) {
      const { status, body } = await stage.call(path, { headers: bearer(role) });
      expect([path, status]).toEqual([path, 200]);
      answers.push(JSON.stringify(body));
    }
    const all = answers.join('\n');
    expect(all).toContain(redacted);
    expect(all).not.toContain('hush-');
    // Values that are not secrets are shown as they were written.
    expect(all).toContain(`https://hooks.example/x?team=a&access_token=${redacted}&page=2`);
    expect(all).toContain('"accept":"text/plain"');
  });

  test('nor does the command line', async () => {
    const stage = await aStage();
    const situation = { url: stage.server.url, key: secret[role] };
    const { items } = (await stage.call('/runs', { headers: bearer(role) })).body;
    let said = '';
    for (const args of [
      ['schedule', 'list', '--json'],
      ['schedule', 'list'],
      ['schedule', 'describe', 'hook'],
      ['schedule', 'describe', 'hook', '--json'],
      ['schedule', 'describe', 'program', '--json'],
      ['runs', '--json'],
      ...items.map(({ id }: { id: string }) => ['run', 'describe', id]),
    ]) {
      const { code, stdout, stderr } = await commandLine(args, situation);
      expect([args, code, stderr]).toEqual([args, 0, '']);
      said += stdout;
    }
    expect(said).toContain('hooks.example');
    expect(said).not.toContain('hush-');
  });

  test('nor does the Temporal door', async () => {
    const stage = await aStage();
    const connection = await Connection.connect({
      address: stage.server.grpc?.address ?? '',
      apiKey: secret[role],
      tls: false,
    });
    onTestFinished(() => connection.close());
    const { workflowService } = connection;
    const namespace = 'default';
    let said = '';
    for (const scheduleId of ['hook', 'program']) {
      said += wordsOf(await workflowService.describeSchedule({ namespace, scheduleId }));
    }
    const { executions } = await workflowService.listWorkflowExecutions({ namespace });
    for (const { execution } of executions ?? []) {
      said += wordsOf(
        await workflowService.getWorkflowExecutionHistory({ namespace, execution: execution ?? {} }),
      );
    }
    said += wordsOf(await workflowService.listSchedules({ namespace }));
    expect(said).toContain('hooks.example');
    expect(said).not.toContain('hush-');
  });
});

/** Every text in an answer, payloads included. */
function wordsOf(answer: unknown): string {
  if (typeof answer === 'string') return `${answer}\n`;
  if (answer instanceof Uint8Array) return `${Buffer.from(answer).toString()}\n`;
  if (typeof answer !== 'object' || answer === null) return '';
  return Object.values(answer).map(wordsOf).join('');
}

describe('a redaction that is sent back', () => {
  test('keeps the value that is stored, to the last byte', async () => {
    const stage = await aStage();
    const headers = bearer('operator');
    const stored = async () => {
      const parts = await internalsOf(stage.carillon).runtime.store.list({ limit: 100 });
      const history = await internalsOf(stage.carillon).runtime.store.parts({
        incarnation: parts.items.find((row) => row.key.id === 'hook')?.incarnation ?? '',
        name: 'definition',
      });
      return JSON.stringify(JSON.parse(history.at(-1)?.data ?? ''));
    };
    const before = await stored();
    expect(before).toContain('hush-5');
    const { body } = await stage.call('/schedules/hook/definition', { headers });
    const put = await stage.call('/schedules/hook', { method: 'PUT', headers, body });
    expect(put.status).toBe(200);
    expect(await stored()).toBe(before);
    // One header is changed, the token of the address stays.
    const patch = { http: { ...body.http, headers: { ...body.http.headers, accept: 'text/html' } } };
    const patched = await stage.call('/schedules/hook', { method: 'PATCH', headers, body: patch });
    expect(patched.status).toBe(200);
    expect(await stored()).toContain('access_token=hush-1');
    expect(await stored()).toContain('Bearer hush-5');
    expect(await stored()).toContain('text/html');
  });

  test('is refused where there was no value', async () => {
    const stage = await aStage();
    const headers = bearer('operator');
    const body = { every: '1h', http: { url: 'https://a.example', headers: { 'x-token': redacted } } };
    for (const id of ['hook', 'new-one']) {
      const refused = await stage.call(`/schedules/${id}`, { method: 'PUT', headers, body });
      expect(refused.status).toBe(400);
      expect(refused.body.error.problems).toMatchObject([
        { path: 'http.headers.x-token', reason: 'REDACTED_VALUE' },
      ]);
    }
  });
});

test('the command line warns on standard error', async () => {
  const stage = await aStage();
  const situation = { url: stage.server.url, key: secret.operator };
  const args = ['schedule', 'create', 'hook-2', '--every', '1h', '--url', 'https://a.example/?token=hush-9'];
  const { code, stdout, stderr } = await commandLine(args, situation);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Warning: http.url?token: this value looks like a secret and is stored as written',
  );
  expect(stdout + stderr).not.toContain('hush-9');
});
