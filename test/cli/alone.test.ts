/** The program `carillon` where only the library is installed, and how the server's commands join it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { SystemClock } from '../../packages/carillon/src/base/clock.ts';
import { version } from '../../packages/carillon/src/base/version.ts';
import { Command } from '../../packages/carillon/src/cli/command.ts';
import { runProgram } from '../../packages/carillon/src/cli/program.ts';
import { type ServerCommands, serverSummaries } from '../../packages/carillon/src/cli/server-commands.ts';
import { readManifest } from '../../packages/carillon/src/doctor/manifest.ts';
import * as server from '../../packages/server/src/cli/index.ts';
import { bareContext } from './command-stage.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-alone-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Situation {
  readonly input?: string;
  readonly with?: ServerCommands;
}

async function carillon(args: readonly string[], situation: Situation = {}) {
  let stdout = '';
  let stderr = '';
  const context = {
    now: new SystemClock().now(),
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    colors: { stdout: false, stderr: false },
    readInput: async () => situation.input ?? '',
    zone: 'Europe/Berlin',
  };
  const code = await runProgram(args, context, situation.with);
  return { code, stdout, stderr };
}

const manifest = {
  owner: 'billing',
  schedules: [{ id: 'invoices', cron: '0 6 31 2 *', run: 'invoices' }],
};

describe('without the server package', () => {
  test('help lists the commands of both packages and says which need the server', async () => {
    const { code, stdout } = await carillon([]);
    expect(code).toBe(0);
    const [own = '', others = ''] = stdout.split(
      'Commands of the server package (npm install @carillon/server):',
    );
    for (const name of ['next', 'lint', 'dst', 'import', 'version', 'help']) {
      expect(own).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
    for (const name of Object.keys(serverSummaries)) {
      expect(own).not.toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
      expect(others).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
  });

  test('a command of the server says what to install, with any options, and exits with 127', async () => {
    const said = await carillon(['dev', '--http-port', '9000', '--no-demo']);
    expect(said.code).toBe(127);
    expect(said.stdout).toBe('');
    expect(said.stderr).toContain('npm install @carillon/server');
    const json = await carillon(['schedule', 'list', '--json']);
    expect(json.code).toBe(127);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { reason: 'SERVER_PACKAGE_MISSING' } });
    expect((await carillon(['help', 'start'])).stdout).toContain('npm install @carillon/server');
    expect((await carillon(['verfy'])).stderr).toContain('Did you mean verify?');
  });

  test('next, lint, dst and import work', async () => {
    const times = await carillon(['next', '0 9 * * *', '-x', '2026-12-24', '2026-12-25', '--json']);
    expect(times.code).toBe(0);
    expect(JSON.parse(times.stdout).times).toHaveLength(5);
    const trap = await carillon(['lint', '0 0 31 2 *', '--json']);
    expect(trap.code).toBe(1);
    const clock = await carillon([
      'dst',
      '-e',
      '30 2 * * *',
      '-z',
      'America/New_York',
      '--fail-on',
      'shifted',
    ]);
    expect(clock.code).toBe(1);
    const imported = await carillon(['import', 'crontab'], { input: '5 4 * * * /bin/backup\n' });
    expect(imported.code).toBe(0);
    expect(imported.stderr).toContain('Proved: 1 line');
    expect(readManifest(imported.stdout)).toMatchObject({
      ok: true,
      manifests: [{ owner: 'crontab', entries: [{ id: 'backup', line: 4 }] }],
    });
  });

  test('a manifest in JSON is read with its lines; YAML names the package that reads it', async () => {
    const file = join(scratch, 'schedules.json');
    writeFileSync(file, JSON.stringify(manifest, undefined, 2));
    const { stdout } = await carillon(['lint', file, '--json']);
    expect(JSON.parse(stdout).findings[0]).toMatchObject({ subject: 'invoices', location: { line: 4 } });
    const yaml = join(scratch, 'schedules.yaml');
    writeFileSync(yaml, 'owner: billing\nschedules: []\n');
    const refused = await carillon(['lint', yaml]);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('npm install @carillon/server');
  });
});

describe('with the server package', () => {
  test('the library knows its commands by name and summary', async () => {
    const declared: Record<string, string> = {};
    for (const [name, declare] of Object.entries(server.commands)) {
      if (name.startsWith('_')) continue;
      const command = new Command(name);
      await declare(command, bareContext(), []);
      declared[name] = command.summaryText;
    }
    expect(declared).toEqual(serverSummaries);
  });

  test('another version is refused, and both are named', async () => {
    const other = { ...server, version: '9.9.9' };
    const said = await carillon(['dev'], { with: other });
    expect(said.code).toBe(2);
    expect(said.stderr).toContain(`carillon is ${version} and @carillon/server is 9.9.9`);
  });

  test('the same commands understand YAML', async () => {
    const yaml = join(scratch, 'other.yaml');
    writeFileSync(yaml, "owner: billing\nschedules:\n  - id: never\n    cron: '0 0 31 2 *'\n    run: x\n");
    const { stdout } = await carillon(['lint', yaml, '--json'], { with: server });
    expect(JSON.parse(stdout).findings[0]).toMatchObject({ subject: 'never', location: { line: 3 } });
    const imported = await carillon(['import', 'crontab'], { input: '5 4 * * * x\n', with: server });
    expect(imported.stdout).toMatch(/^# Imported from standard input\./);
  });
});

test('neither package has a parser or colours of others', () => {
  for (const name of ['carillon', 'server']) {
    const { dependencies } = JSON.parse(
      readFileSync(new URL(`../../packages/${name}/package.json`, import.meta.url), 'utf8'),
    ) as { readonly dependencies: Readonly<Record<string, string>> };
    expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['commander']));
    expect(Object.keys(dependencies)).not.toEqual(expect.arrayContaining(['picocolors']));
  }
});
