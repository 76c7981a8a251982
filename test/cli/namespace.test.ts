/** `carillon namespace …` and the namespaces of `carillon key create --server`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CarillonClient } from '../../packages/carillon/src/client/index.ts';
import { hashKey } from '../../packages/server/src/server/keys.ts';
import { DoorStage } from '../door/door-stage.ts';
import { carillon } from './command-stage.ts';

let stage: DoorStage;
beforeAll(async () => {
  stage = await DoorStage.open();
});
afterAll(async () => {
  await stage.server.stop();
});

const run = async (...args: readonly string[]) => await carillon(args, { url: stage.server.url });

test('a namespace is created, listed, described, changed and deleted', async () => {
  const create = ['namespace', 'create', 'billing', '--retention', '7d', '--description', 'invoices'];
  expect((await run(...create, '--dry-run')).stdout).toBe(
    "billing, nothing is changed:\n  The namespace 'billing' is registered.\n  Finished runs are kept for 7 days.\n",
  );
  expect((await run('namespace', 'describe', 'billing')).code).toBe(1);
  expect((await run(...create)).stdout).toBe('Created billing. It keeps finished runs for 7d.\n');
  expect((await run('namespace', 'list')).stdout).toMatch(
    /^NAMESPACE +KEEPS RUNS +SET BY +DESCRIPTION\nbilling +7d +namespace +invoices\ndefault +30d +server\n$/,
  );
  const listed = JSON.parse((await run('namespace', 'list', '--json')).stdout);
  expect(listed.items.map(({ name }: { readonly name: string }) => name)).toEqual(['billing', 'default']);

  const set = ['namespace', 'set', 'billing', '--retention', 'server', '--description', ''];
  expect((await run(...set, '--dry-run')).stdout).toBe(`billing, nothing is changed:
  Finished runs are kept for 30 days instead of 7 days, as the server says.
  Changes description, retention.
  description: "invoices" -> ""
  retention: "7d" -> none
`);
  expect((await run(...set, '--deprecated', 'yes', '--note', 'one rule for all')).stdout).toBe(
    'Changed billing. It keeps finished runs for 30d, as the server says.\n',
  );
  expect((await run('namespace', 'describe', 'billing')).stdout).toBe(
    'namespace   billing\ndeprecated  yes\nkeeps runs  30d, set by the server\n',
  );
  expect((await run('audit', '--namespace', 'billing', '--action', 'updateNamespace')).stdout).toMatch(
    /ada updateNamespace namespace\/billing \(cli\) {2}"one rule for all"\n(?: {4}.*\n)* {4}retentionMs: 604800000 -> none\n/,
  );
  await run('namespace', 'set', 'billing', '--deprecated', 'no', '--retention', '99d');
  expect(JSON.parse((await run('namespace', 'describe', 'billing', '--json')).stdout)).toMatchObject({
    isDeprecated: false,
    retention: '99d',
    keptBy: 'server',
  });
  expect((await run('namespace', 'list')).stdout).toMatch(/billing +30d +server \(it asked for 99d\)\n/);

  expect((await run('namespace', 'delete', 'billing', '--dry-run')).stdout).toBe(
    "billing, nothing is changed:\n  The namespace 'billing' is removed.\n",
  );
  expect((await run('namespace', 'delete', 'billing')).stdout).toBe('Deleted billing.\n');
  expect((await run('namespace', 'list')).stdout).not.toContain('billing');
});

test('a namespace that cannot be found, changed or deleted says why', async () => {
  const absent = await run('namespace', 'describe', 'defult');
  expect([absent.code, absent.stderr]).toEqual([1, expect.stringContaining("did you mean 'default'?")]);
  const nothing = await run('namespace', 'set', 'default');
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('give one of --retention')]);
  const wrong = await run('namespace', 'set', 'default', '--retention', 'a week');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('retention: not a duration')]);
  const used = await run('namespace', 'delete', 'default');
  expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('always exists')]);
});

test('a key for one namespace opens that one without --namespace', async () => {
  const secret = `crl_${'c'.repeat(43)}`;
  await using locked = await DoorStage.open({
    keys: [{ name: 'part', hash: hashKey(secret), role: 'admin', namespaces: ['billing'] }],
  });
  const asPart = { url: locked.server.url, key: secret };
  expect((await carillon(['namespace', 'create', 'billing'], asPart)).code).toBe(0);
  expect((await carillon(['namespace', 'describe', 'billing'], asPart)).stdout).toContain('30d');
  expect((await carillon(['namespace', 'describe', 'default'], asPart)).stderr).toContain('error');
});

test('a key is made on a server, and refused for a namespace that it does not know', async () => {
  const on = ['--server', stage.server.url] as const;
  const wrong = await run('key', 'create', 'reader', '--namespace', 'defalt', ...on);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("namespaces[0]: there is no namespace 'defalt'");
  expect(wrong.stderr).toContain("fix did you mean 'default'?");
  const create = ['key', 'create', 'reader', '--namespace', 'default', ...on];
  expect((await run(...create, '--dry-run')).stdout).toContain(
    "A key 'reader' with the role viewer for default",
  );
  const { stdout } = await run(...create);
  const [, , secret = ''] = stdout.split('\n');
  expect(secret).toMatch(/^ {2}crl_/);
  const { settings } = new CarillonClient({ url: stage.server.url });
  expect(await settings.keys()).toMatchObject([
    { name: 'reader', namespaces: ['default'], createdBy: 'ada' },
  ]);
  const again = JSON.parse((await run('key', 'create', 'writer', '--json', ...on)).stdout);
  expect(again).toMatchObject({
    key: expect.stringMatching(/^crl_/),
    entry: { name: 'writer', namespaces: null },
  });
  for (const args of [['--queue', 'images', ...on], ['--dry-run']]) {
    expect((await run('key', 'create', 'other', ...args)).code).toBe(2);
  }
  expect((await run('key', 'create', 'local')).stdout).toContain('Add this to "keys"');
  expect(await settings.keys()).toHaveLength(2);
});
