/** `carillon dev --handlers`: the user's module is loaded, and loaded again when it or a module that it imports changes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { until } from '../support/until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-handlers-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const file = join(scratch, 'handlers.mjs');
const imported = join(scratch, 'greeting.mjs');

function write(names: readonly string[], greeting: string): void {
  const lines = names.map((name) => `  carillon.handle('${name}', () => greeting);`);
  writeFileSync(imported, `export const greeting = '${greeting}';\n`);
  writeFileSync(
    file,
    `import { greeting } from './greeting.mjs';\nexport function register(carillon) {\n${lines.join('\n')}\n}\n`,
  );
}

const bin = fileURLToPath(new URL('../../packages/server/src/cli/bin.ts', import.meta.url));

/** `carillon dev` in a process of its own: Node's way of loading modules is part of what is tested. */
function dev(args: readonly string[]) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', bin, 'dev', '--db', ':memory:', '--json', '--no-demo', ...args],
    { stdio: 'pipe', env: { ...process.env, XDG_STATE_HOME: join(scratch, 'state') } },
  );
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { said, stop: () => child.kill('SIGTERM'), ended };
}

test('handlers run from a file, and a change of what the file imports is loaded', async () => {
  write(['hello', 'old'], 'one');
  const { said, stop, ended } = dev(['--http-port', '0', '--grpc-port', '0', '--handlers', file]);
  await until(() => said.stdout.includes('\n'));
  const { url, handlers } = JSON.parse(said.stdout) as { url: string; handlers: readonly string[] };
  expect(handlers).toEqual(['hello', 'old']);
  const client = new CarillonClient({ url });
  const result = async () => {
    const { id } = await client.runs.enqueue({ run: 'hello' });
    return (await client.runs.wait(id)).result;
  };
  expect(await result()).toBe('one');

  write(['hello', 'new'], 'two');
  await until(() => said.stderr.includes('handlers.mjs reloaded: hello, new; removed: old'));
  expect(await result()).toBe('two');

  // A broken file leaves the handlers that were there.
  writeFileSync(file, 'export function register( {');
  await until(() => said.stderr.includes('not reloaded'));
  expect(await result()).toBe('two');
  stop();
  expect(await ended).toBe(0);
});

const library = new URL('../../packages/carillon/src/embed/host.ts', import.meta.url).href;

/** A module with a workflow. Its import of the library is a copy of its own, as in a program beside a global command. */
function writeWorkflow(
  name: string,
  { topics, answer }: { readonly topics: string; readonly answer: string },
) {
  writeFileSync(
    join(scratch, name),
    `import { createHost, defineWorkflow, topic } from '${library}';
const inbox = defineWorkflow({ name: 'inbox', topics: { mail: topic()${topics === '' ? '' : `, ${topics}: topic()`} } })
  .consumer('file', { subscribe: ['mail'], prepare: async (ctx, state) => ({
    reservations: [{ topic: 'mail', ids: (await ctx.peek('mail')).map(({ id }) => id) }], data: null }),
    next: () => '${answer}' })
  ${topics === '' ? '' : `.consumer('wait', { subscribe: ['${topics}'], prepare: () => ({ reservations: [], data: null }) })`};
export function register(carillon) { createHost({ carillon, workflows: [inbox] }); }
`,
  );
}

test('workflows come from a file; a change replaces their code and graph, and keeps events of a removed topic', async () => {
  const workflows = 'workflows.mjs';
  writeWorkflow(workflows, { topics: 'later', answer: 'one' });
  const { said, stop, ended } = dev([
    '--http-port',
    '0',
    '--grpc-port',
    '0',
    '--handlers',
    join(scratch, workflows),
  ]);
  await until(() => said.stdout.includes('\n') || said.stderr !== '');
  const { url, handlers } = JSON.parse(said.stdout) as { url: string; handlers: readonly string[] };
  expect(handlers).toEqual(['inbox']);
  const { hosts } = new CarillonClient({ url });
  await hosts.publish('inbox', 'later', { id: 'l', payload: 1 });
  await hosts.publish('inbox', 'mail', { id: 'a', payload: 1 });
  const settled = async (id: string) => (await hosts.explain('inbox', { topic: 'mail', event: id })).answer;
  await until(async () => (await settled('a')) === 'consumed');

  writeWorkflow(workflows, { topics: '', answer: 'two' });
  await until(() => said.stderr.includes('workflows.mjs reloaded: inbox'));
  await hosts.publish('inbox', 'mail', { id: 'b', payload: 1 });
  await until(async () => (await settled('b')) === 'consumed');
  const { version, topics, consumers } = await hosts.describe('inbox');
  expect(version).toBe(2);
  expect(consumers.map(({ name }) => name)).toEqual(['file']);
  expect(topics).toMatchObject([
    { name: 'mail', orphaned: false },
    { name: 'later', orphaned: true, pending: 1 },
  ]);
  expect(await hosts.explain('inbox', { topic: 'later', event: 'l' })).toMatchObject({ answer: 'orphaned' });

  writeFileSync(join(scratch, workflows), 'export function register() { throw new Error("no luck"); }');
  await until(() => said.stderr.includes('not reloaded: no luck'));
  await hosts.publish('inbox', 'mail', { id: 'c', payload: 1 });
  await until(async () => (await settled('c')) === 'consumed');
  stop();
  expect(await ended).toBe(0);
});

test('a file without handlers is refused by name, before anything is opened', async () => {
  const empty = join(scratch, 'empty.mjs');
  writeFileSync(empty, 'export const nothing = 1;\n');
  const { said, ended } = dev(['--handlers', empty]);
  expect(await ended).toBe(2);
  expect(JSON.parse(said.stderr)).toMatchObject({
    error: { problems: [{ path: '--handlers', reason: 'NO_REGISTER' }] },
  });
});
