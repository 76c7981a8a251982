/** `lint`, `dst` and `import crontab` where no server is needed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { readManifest } from '../../packages/carillon/src/doctor/manifest.ts';
import { parseYaml } from '../../packages/server/src/cli/yaml.ts';
import { carillon, type Situation } from './command-stage.ts';

const now = instant(Date.UTC(2026, 10, 16, 6));
const scratch = mkdtempSync(join(tmpdir(), 'carillon-doctor-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
};
const run = (args: readonly string[], more: Situation = {}) =>
  carillon(args, { now, zone: 'Europe/Berlin', ...more });

describe('carillon lint', () => {
  test('says what is wrong with an expression and what to write instead', async () => {
    const { code, stdout } = await run(['lint', '*/7 * * * *']);
    expect(stdout).toBe(`*/7 * * * *
  warning  uneven-step  '*/7' does not divide the hour: the last gap is 4 instead of 7 minutes
                        → for even gaps write */6 or */5, or every: 7m

1 warning in 1 schedule.
`);
    expect(code).toBe(0);
    expect((await run(['lint', '*/7 * * * *', '--strict'])).code).toBe(1);
  });

  test('fails on errors, in text and in JSON', async () => {
    const { code, stdout } = await run([
      'lint',
      '0 0 30 2 *',
      '0 0 L * *',
      '--dialect',
      'temporal',
      '--json',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      checked: 2,
      counts: { error: 2 },
      findings: [
        {
          code: 'invalid',
          subject: '0 0 L * *',
          fix: expect.stringContaining('the unix dialect can read it'),
        },
        { code: 'never-fires', subject: '0 0 30 2 *' },
      ],
    });
  });

  test('finds nothing in what is fine', async () => {
    const fine = await run(['lint', '17 4 * * 1-5', '--zone', 'Asia/Tokyo']);
    expect(fine).toMatchObject({ code: 0, stdout: 'Nothing found in 1 schedule.\n' });
  });

  test('reads manifests with their lines, and crontabs with theirs', async () => {
    const manifest = file('m.yaml', "owner: a\nschedules:\n  - id: x\n    cron: '5 4 13 * 5'\n    run: y\n");
    const declared = await run(['lint', manifest, '-q']);
    expect(declared.stdout).toContain(`${manifest}:3  x\n`);
    expect(declared.stdout).toMatch(/day-either .*\n[\s\S]*zone-missing/);
    expect(declared.stdout).not.toContain('catchup-short  ');
    const broken = await run(['lint', file('b.yaml', 'owner: a\nschedules:\n  - id: x\n    evry: 1h\n')]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/b\.yaml:4 {2}x\n {2}error .*unknown field 'evry'/);
    const tab = await run(['lint', file('tab', '# c\n5 4 31 * * x\n61 * * * * y\n')]);
    expect(tab.code).toBe(1);
    expect(tab.stdout).toMatch(/tab:2 {2}x\n.*short-months/);
    expect(tab.stdout).toMatch(/tab:3 {2}line 3\n.*invalid.*minute 61/);
    const piped = await run(['lint', '-', '--json'], {
      input: 'owner: a\nschedules: { z: { every: 1h, run: q } }',
    });
    expect(JSON.parse(piped.stdout)).toMatchObject({ checked: 1, counts: { error: 0, warning: 0 } });
  });

  test('lists its rules, and asks for something to look at', async () => {
    expect((await run(['lint', '--rules'])).stdout).toContain('never-fires');
    expect(await run(['lint'])).toMatchObject({ code: 2, stdout: '' });
    const pieces = await run(['lint', '0', '9', '*', '*', '1-5']);
    expect(pieces).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("put it in quotes: '0 9 * * 1-5'"),
    });
    for (const absent of ['none.yaml', '/etc/no-such-crontab', './tab'])
      expect((await run(['lint', absent])).stderr).toContain(`there is no file ${absent}`);
    expect((await run(['lint', '@hourly', '*/5 * * * *'])).code).toBe(0);
  });
});

describe('carillon dst', () => {
  test('shows what a clock change does to an expression', async () => {
    const { code, stdout } = await run(['dst', '-e', '30 2 * * *', '-z', 'America/New_York', '--years', '1']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      `SCHEDULE    CLOCK CHANGES         ZONE              FROM → TO      TIME CONCERNED    WHAT HAPPENS
30 2 * * *  2027-03-14T07:00:00Z  America/New_York  02:00 → 03:00  2027-03-14 02:30  runs at 03:30 instead (2027-03-14T07:30:00Z)

`,
    );
  });

  test('can make a pipeline fail, and speaks JSON', async () => {
    const args = ['dst', '-e', '30 2 * * *', '-z', 'America/New_York', '--gap', 'skip', '--json'];
    const { code, stdout } = await run([...args, '--fail-on', 'skipped']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      unaffected: 0,
      affected: [
        {
          id: '30 2 * * *',
          transitions: [
            {
              at: '2027-03-14T07:00:00Z',
              effect: 'skipped',
              byMinutes: 60,
              clock: { before: '02:00', after: '03:00' },
            },
            { at: '2028-03-12T07:00:00Z', effect: 'skipped' },
          ],
        },
      ],
    });
    expect((await run([...args, '--fail-on', 'doubled'])).code).toBe(0);
  });

  test('says when nothing is touched, and what is missing', async () => {
    const quiet = await run(['dst', '-e', '*/15 * * * *', '-z', 'America/New_York']);
    expect(quiet.stdout).toBe('1 schedule is not touched by any clock change in the coming 2 years.\n');
    expect((await run(['dst', '-e', '5 4 * * *'])).stderr).toContain('--zone');
    expect((await run(['dst', 'a', '-e', '5 4 * * *', '-z', 'UTC'])).code).toBe(2);
    expect((await run(['dst', '-e', '5 4 * * *', '-z', 'Europe/Berln'])).stderr).toContain('Europe/Berlin');
  });
});

describe('carillon import crontab', () => {
  const tab = 'MAILTO=me\n# the backup\n5 4 * * * /bin/backup\n#6 4 * * * off\n@reboot start\n';

  test('prints a manifest that can be applied, and what it has to say beside it', async () => {
    const { code, stdout, stderr } = await run(['import', 'crontab', '-'], { input: tab });
    expect(code).toBe(0);
    const read = readManifest(stdout, { parse: parseYaml });
    expect(read).toMatchObject({
      ok: true,
      manifests: [
        {
          owner: 'crontab',
          entries: [
            { id: 'backup', input: { cron: '5 4 * * *', zone: 'Europe/Berlin', description: 'the backup' } },
          ],
        },
      ],
    });
    expect(stderr).toContain('equal, 1000 times compared');
    expect(stderr).toContain('line 4: commented out');
    expect(stderr).toContain('line 5: @reboot has no time');
    expect(stderr).toContain('Proved: 1 line, 1000 fire times, equal to an independent reading of cron.');
  });

  test('writes a file, and not over another', async () => {
    const target = join(scratch, 'out.yaml');
    const args = [
      'import',
      'crontab',
      file('tab1', tab),
      '-o',
      target,
      '--owner',
      'me',
      '--disabled',
      '--compare',
      '5',
    ];
    expect(await run(args)).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(target, 'utf8')).toContain('owner: me');
    expect(readFileSync(target, 'utf8')).toContain('paused: commented out in the crontab');
    expect((await run(args)).stderr).toContain('exists already');
    expect((await run([...args, '--force'])).code).toBe(0);
  });

  test('fails when a line cannot be read or proved, with JSON too', async () => {
    const { code, stdout } = await run(['import', 'crontab', '--json'], {
      input: '61 * * * * x\n5 4 L * * y\n',
    });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      remarks: [{ line: 1, level: 'error' }],
      proofs: [{ id: 'y', line: 2, difference: expect.stringContaining('cannot hold') }],
    });
    expect((await run(['import', 'crontab', join(scratch, 'none')])).stderr).toContain(
      'there is no such file',
    );
    expect((await run(['import', 'crontab', '--zone', 'Berlin'])).stderr).toContain(
      "did you mean 'Europe/Berlin'?",
    );
    expect(existsSync(join(scratch, 'none'))).toBe(false);
  });
});
