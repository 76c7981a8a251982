import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { nearNames } from '../../packages/carillon/src/base/near-names.ts';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { distanceText } from '../../packages/carillon/src/cli/next-view.ts';
import { runProgram } from './program.ts';

const now = instant(Date.UTC(2026, 2, 6, 12));

async function carillon(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const code = await runProgram(args, {
    now,
    stdout: {
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    colors: { stdout: false, stderr: false },
  });
  return { code, stdout, stderr };
}

describe('carillon next', () => {
  it('reads the expression back and lists its times, marking clock changes', async () => {
    const { code, stdout, stderr } = await carillon(
      'next',
      '30 2 * * *',
      '--zone',
      'America/New_York',
      '-n',
      '4',
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toBe(`At 02:30 every day, America/New_York

America/New_York               UTC                   from now
Sat 2026-03-07 02:30:00-05:00  2026-03-07T07:30:00Z  in 19 h 30 min
Sun 2026-03-08 03:30:00-04:00  2026-03-08T07:30:00Z  in 1 d 19 h     * moved: the clock jumps over the usual time
Mon 2026-03-09 02:30:00-04:00  2026-03-09T06:30:00Z  in 2 d 18 h
Tue 2026-03-10 02:30:00-04:00  2026-03-10T06:30:00Z  in 3 d 18 h
`);
  });

  it('follows the rule of the dialect through a fold, unless told otherwise', async () => {
    const args = [
      'next',
      '30 1 * * *',
      '-z',
      'America/New_York',
      '-a',
      '2026-10-31T12:00:00Z',
      '-n',
      '2',
      '--json',
    ];
    const locals = async (...more: string[]) =>
      JSON.parse((await carillon(...args, ...more)).stdout).times.map((row: { local: string }) => row.local);
    expect(await locals()).toEqual(['2026-11-01T01:30:00-04:00', '2026-11-02T01:30:00-05:00']);
    expect(await locals('--dialect', 'temporal')).toEqual([
      '2026-11-01T01:30:00-04:00',
      '2026-11-01T01:30:00-05:00',
    ]);
    expect(await locals('-d', 'temporal', '--fold', 'last')).toEqual([
      '2026-11-01T01:30:00-05:00',
      '2026-11-02T01:30:00-05:00',
    ]);
  });

  it('takes intervals, rules, exclusions and jitter', async () => {
    const every = await carillon('next', '--every', '90m/5m', '-n', '1');
    expect(every.stdout).toContain('Every 90 minutes, offset 5 min');
    const rule = await carillon('next', '--rrule', 'FREQ=MONTHLY;BYDAY=-1FR', '-n', '1', '--json');
    expect(JSON.parse(rule.stdout).times).toEqual([
      {
        nominal: '2026-03-27T00:00:00Z',
        actual: '2026-03-27T00:00:00Z',
        local: '2026-03-27T00:00:00+00:00',
        weekday: 'Fri',
      },
    ]);
    const excluded = await carillon('next', '0 9 * * *', '-x', '2026-03-07', '2026-03-08', '-n', '1');
    expect(excluded.stdout).toContain('Mon 2026-03-09');
    const spread = await carillon('next', '0 9 * * *', '--jitter', '10m', '-n', '1');
    expect(spread.stdout).toContain('with jitter');
  });

  it('shows times in the zone that the expression names', async () => {
    const { stdout } = await carillon('next', 'TZ=Asia/Tokyo 0 9 * * *', '-d', 'temporal', '-n', '1');
    expect(stdout).toContain('Sat 2026-03-07 09:00:00+09:00');
  });

  it('says so when there is no time left', async () => {
    const { code, stdout } = await carillon('next', '0 0 31 2 *');
    expect(code).toBe(0);
    expect(stdout).toContain('No time after 2026-03-06T12:00:00Z.');
  });
});

describe('bad input', () => {
  it('points at the field, names the dialect and the fix, and prints nothing else', async () => {
    const { code, stdout, stderr } = await carillon('next', '0 25 * * mon');
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`error: unix cron: hour 25 is not in range [0-23]
  0 25 * * mon
    ^^
  fix write a number from 0 to 23
`);
  });

  it.each([
    [['0 9 * *'], 'unix cron: 5 fields are needed'],
    [
      ['0 9 * * 9', '-d', 'temporal'],
      'temporal cron: DayOfWeek is not in range [0-7]\n  0 9 * * 9\n          ^',
    ],
    [['0 9 * * *', '-z', 'America/NewYork'], "did you mean 'America/New_York'?"],
    [['0 9 * * *', '-z', 'berlin'], "did you mean 'Europe/Berlin'?"],
    [['0', '9', '*', '*', '*'], "put it in quotes: '0 9 * * *'"],
    [[], 'there is nothing to compute'],
    [['--every', '15'], '"15" is not a length of time'],
    [['--rrule', 'FREQ=DAILY;BYHOUR=24'], 'BYHOUR: "24" is not in 0–23'],
    [['0 9 * * *', '-x', 'christmas'], '--exclude-date'],
    [['0 9 * * *', '-a', 'tomorrow'], 'RFC 3339'],
    [['0 9 * * *', '-n', '0'], 'Write a whole number from 1 to 1000'],
    [['0 9 * * *', '-d', 'quartz'], 'Allowed choices are unix, temporal, spring'],
    [['0 9 * * *', '--zoen', 'UTC'], 'Did you mean --zone?'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await carillon('next', ...args);
    expect(stderr).toContain(words);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });

  it('reports problems as JSON on request', async () => {
    const { code, stderr } = await carillon('next', '0 25 * * *', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stderr).error.problems[0]).toMatchObject({
      reason: 'OUT_OF_RANGE',
      source: '0 25 * * *',
    });
  });
});

describe('help and version', () => {
  it('helps a stranger', async () => {
    const bare = await carillon();
    expect(bare.code).toBe(0);
    expect(bare.stdout).toContain('next');
    const help = await carillon('next', '--help');
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('Examples:');
    expect(help.stdout).toContain('Exit codes:');
    expect((await carillon('version', '--json')).stdout).toMatch(/^\{"version":"\d/);
    expect((await carillon('--version')).stdout).toBe((await carillon('version')).stdout);
    expect((await carillon('nxet')).code).toBe(2);
  });
});

describe('words', () => {
  it.each([
    [0, 'now'],
    [59_000, 'in 59 s'],
    [11_520_000, 'in 3 h 12 min'],
    [86_400_000, 'in 1 d'],
    [-90_000, '1 min 30 s ago'],
  ])('%d ms', (length, words) => {
    expect(distanceText(length)).toBe(words);
  });

  it('finds near names', () => {
    expect(nearNames('Europe/Berln', ['Europe/Berlin', 'Asia/Tokyo'])).toEqual(['Europe/Berlin']);
    expect(nearNames('qqqqqqqq', ['Europe/Berlin'])).toEqual([]);
  });
});

describe('the built program', () => {
  it('runs as a process with exit codes and without colours in a pipe', () => {
    const bin = fileURLToPath(new URL('../../packages/carillon/bin/carillon.js', import.meta.url));
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', cwd: tmpdir() });
    const good = run('next', '*/15 * * * *', '--after', '2026-01-01T00:00:00Z', '-n', '1');
    expect(good.stderr).toBe('');
    expect(good.status).toBe(0);
    expect(good.stdout).toContain('Thu 2026-01-01 00:15:00+00:00');
    const bad = run('next', '61 * * * *');
    expect(bad.status).toBe(2);
    expect(bad.stdout).toBe('');
    expect(bad.stderr).toMatch(/^error: unix cron: minute 61/);
  });
});
