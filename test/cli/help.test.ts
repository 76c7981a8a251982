import { describe, expect, test } from 'vitest';
import { carillon } from './command-stage.ts';

/** Every command there is, read off the help texts themselves. */
async function commandsBelow(path: readonly string[]): Promise<readonly (readonly string[])[]> {
  const { stdout } = await carillon([...path, '--help']);
  const listed = /\nCommands:\n((?: {2}.*\n)+)/.exec(stdout)?.[1] ?? '';
  const names = [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map((match) => match[1] as string);
  const below = names.filter((name) => name !== 'help').map((name) => [...path, name]);
  const nested = await Promise.all(below.map(commandsBelow));
  return below.flatMap((each, index) => [each, ...(nested[index] ?? [])]);
}

describe('help', () => {
  test('every command has an example, and offers JSON unless it prints a script', async () => {
    const all = await commandsBelow([]);
    const names = all.map((each) => each.join(' '));
    expect(names).toEqual(
      expect.arrayContaining([
        'lint',
        'dst',
        'verify',
        'plan',
        'apply',
        'prune',
        'import crontab',
        'completion',
      ]),
    );
    const groups = new Set(all.filter((each) => each.length === 2).map(([first]) => first as string));
    const lacking: string[] = [];
    for (const path of all) {
      const name = path.join(' ');
      if (groups.has(name) || name === 'version' || name === 'exit-codes') continue;
      const { stdout } = await carillon([...path, '--help']);
      if (!stdout.includes('\n  $ carillon') && !/\$ .*carillon /.test(stdout))
        lacking.push(`${name}: example`);
      if (!stdout.includes('--json') && name !== 'completion' && name !== 'start')
        lacking.push(`${name}: --json`);
    }
    expect(lacking).toEqual([]);
  });

  test('exit codes are told in one place', async () => {
    const { stdout } = await carillon(['exit-codes']);
    expect(stdout).toMatch(/^CODE +MEANING\n0 /);
    const json = JSON.parse((await carillon(['exit-codes', '--json'])).stdout) as readonly { code: number }[];
    expect(json.map(({ code }) => code)).toEqual([0, 1, 2, 3, 130]);
    expect((await carillon(['help', 'exit-codes'])).stdout).toContain(
      'plan only: there is something to apply',
    );
  });

  test('an option that is a part of others brings them', async () => {
    const { code, stderr } = await carillon(['dev', '--port', '1']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--http-port, --grpc-port')]);
  });

  test.each([
    [[], 'nothing was given to run'],
    [['--run', 'a', '--url', 'https://example.com'], '--run <handler> and --url <url> were given'],
  ])('a schedule with the actions %j is refused in the words of the options', async (actions, why) => {
    const said = await carillon(['schedule', 'create', 'nightly', '--every', '5m', ...actions]);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(`error: ${why}`);
    expect(said.stderr).toContain('fix give one of --run <handler>, --url <url>, --command <word...>');
  });

  test('a mistyped command is recognised', async () => {
    const { code, stderr } = await carillon(['verfy']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean verify?');
  });
});
