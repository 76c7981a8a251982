/** Secrets by reference: used where the work is done, stored and shown nowhere. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseSecrets, secretsFrom } from '../../packages/carillon/src/action/secret-source.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { aCarillon, aTarget, failureIn, runOf } from './stage.ts';
import { answering } from './target.ts';

const token = 'tk-"never" to/be&seen';
const secrets = (name: string) => (name === 'TOKEN' ? token : undefined);
const reference = ['$', '{secret:TOKEN}'].join('');
const local = { allowPrivate: true };

async function everything(carillon: Carillon, id: string): Promise<string> {
  return JSON.stringify([
    (await internalsOf(carillon).runtime.store.runs({ limit: 100 })).items,
    await carillon.schedules.describe(id),
    (await carillon.schedules.audit(id)).items,
    (await carillon.schedules.slots(id)).items,
    (await internalsOf(carillon).runtime.store.list({ limit: 100 })).items,
  ]);
}

describe('a request', () => {
  test('carries the values of its references, each written as its place asks for', async () => {
    const target = await aTarget(answering(200, JSON.stringify({ echo: `you sent ${token}` })));
    const carillon = await aCarillon({ secrets });
    await carillon.schedules.create('hook', {
      http: {
        url: `${target.url}?a=1&token=${reference}`,
        headers: { authorization: `Bearer ${reference}` },
        body: { deep: [{ key: reference }] },
        ...local,
      },
    });
    const run = await runOf(carillon, 'hook');
    expect(target.asked[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(JSON.parse(target.asked[0]?.body ?? '')).toEqual({ deep: [{ key: token }] });
    expect(new URL(target.asked[0]?.path ?? '', target.url).searchParams.get('token')).toBe(token);
    // What came back holds the reference again.
    expect(JSON.parse(run.result ?? '')).toEqual({ echo: `you sent ${reference}` });
    const shown = await everything(carillon, 'hook');
    expect(shown).toContain(reference);
    expect(shown).not.toContain('tk-');
  });

  test('that fails is reported without the value', async () => {
    const target = await aTarget(answering(400, `the token ${token} is wrong`));
    const carillon = await aCarillon({ secrets });
    const http = { url: target.url, headers: { 'x-api-key': reference }, ...local };
    await carillon.schedules.create('hook', { http, retry: { attempts: 1 } });
    const run = await runOf(carillon, 'hook');
    expect(JSON.stringify(failureIn(run))).toContain(reference);
    expect(await everything(carillon, 'hook')).not.toContain('tk-');
  });

  test('does not go out with a reference that leads nowhere', async () => {
    const target = await aTarget();
    const carillon = await aCarillon({ secrets: () => undefined });
    const http = { url: target.url, headers: { 'x-api-key': reference }, ...local };
    await carillon.schedules.create('hook', { http, retry: { attempts: 1 } });
    expect(failureIn(await runOf(carillon, 'hook')).message).toContain("the secret 'TOKEN' is not among");
    expect(target.asked).toEqual([]);
  });
});

describe('a command', () => {
  test('gets values in its environment, and its output holds references', async () => {
    const carillon = await aCarillon({ secrets });
    const program =
      'console.log(process.env.A); console.error(process.env.A); process.exitCode = Number(process.env.CODE)';
    const argv = [process.execPath, '-e', program];
    for (const [id, code] of [
      ['good', '0'],
      ['bad', '3'],
    ] as const) {
      const command = { argv, env: { A: `<${reference}>`, CODE: code } };
      await carillon.schedules.create(id, { command, retry: { attempts: 1 } });
      const run = await runOf(carillon, id);
      expect(run.result).toContain(`<${reference}>`);
      expect(await everything(carillon, id)).not.toContain('tk-');
    }
  });

  test('takes none in its arguments, which every user of the machine can see', async () => {
    const carillon = await aCarillon({ secrets });
    const refused = carillon.schedules.create('c', { command: { argv: ['curl', reference] } });
    await expect(refused).rejects.toMatchObject({
      problems: [{ path: 'command.argv[1]', reason: 'SECRET_IN_ARGUMENTS' }],
    });
  });
});

test('what is no name of a secret is refused, and not repeated', async () => {
  const carillon = await aCarillon();
  for (const http of [
    { url: 'https://a.example', secret: 'whsec_pasted_by_mistake' },
    {
      url: 'https://a.example',
      headers: { authorization: ['$', '{secret:whsec_pasted_by_mistake}'].join('') },
    },
    { url: ['https://a.example?x=$', '{secret:whsec_pasted_by_mistake}'].join('') },
  ]) {
    const error: unknown = await carillon.schedules.create('h', { http }).catch((refusal) => refusal);
    expect(error).toMatchObject({ problems: [{ reason: 'BAD_SECRET_NAME' }] });
    expect(JSON.stringify(error) + String(error)).not.toContain('whsec_');
  }
});

describe('the source of secrets', () => {
  const environment = (name: string) =>
    ({ CARILLON_SECRET_A: 'from the environment', TEAM_A: 'of the team', A: 'not ours' })[name];

  test('is a prefix of variables: no other variable can be named', () => {
    const found = secretsFrom({}, environment);
    expect(found('A')).toBe('from the environment');
    expect(found('TEAM_A')).toBeUndefined();
    expect(secretsFrom({ envPrefix: 'TEAM_' }, environment)('A')).toBe('of the team');
  });

  test('is a file before that, read again when it changes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-secrets-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'secrets');
    const found = secretsFrom({ file }, environment);
    expect(found('A')).toBe('from the environment');
    writeFileSync(file, '# ours\nA=from=the file\n\nB= with spaces \n');
    expect([found('A'), found('B'), found('C')]).toEqual(['from=the file', ' with spaces ', undefined]);
    writeFileSync(file, 'A=rotated\n');
    expect(found('A')).toBe('rotated');
  });

  test('ignores lines that name nothing', () => {
    expect([...parseSecrets('=x\nno sign\r\nA=1\r\n')]).toEqual([['A', '1']]);
  });
});
