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

/** Commands that only read from a server. */
const reading: ReadonlySet<string> = new Set([
  'list',
  'describe',
  'log',
  'events',
  'runs',
  'attempts',
  'why',
  'audit',
  'calendar',
  'dst',
  'lint',
  'nodes',
  'verify',
]);

/** Commands that change something and have no `--dry-run`, with the reason. */
const withoutDryRun: Readonly<Record<string, string>> = {
  plan: 'it is the rehearsal of apply and of prune',
  apply: 'plan says what it does',
  prune: 'plan --prune says what it does, and it asks before it deletes',
  backup: 'it changes nothing that is stored',
  'import bullmq': 'without --apply it only prints what it would create',
  'import conductor': 'the same',
  'import crontab': 'the same',
  'import temporal': 'the same',
};

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

  test('every command that changes something on a server can be rehearsed', async () => {
    const all = await commandsBelow([]);
    const without: string[] = [];
    for (const path of all) {
      const { stdout } = await carillon([...path, '--help']);
      const verb = path.at(-1) as string;
      const isRemote = stdout.includes('--server <url>');
      if (isRemote && !reading.has(verb) && !stdout.includes('--dry-run')) without.push(path.join(' '));
    }
    expect(without.sort()).toEqual(Object.keys(withoutDryRun).sort());
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
