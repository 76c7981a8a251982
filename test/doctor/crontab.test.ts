import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { instant } from '../../packages/carillon/src/base/time.ts';
import { readCrontab } from '../../packages/carillon/src/doctor/crontab.ts';
import { importEntries } from '../../packages/carillon/src/doctor/crontab-schedules.ts';
import { readScheduleInput } from '../../packages/carillon/src/service/schedule-input.ts';

const now = instant(Date.UTC(2026, 10, 16));
const user = (text: string) => readCrontab(text, { isSystem: false });
const imported = (text: string) =>
  importEntries(user(text).entries, { zone: 'Europe/Berlin', now, compare: 100 });

describe('reading', () => {
  test('entries take the variables above them, and the comment right above as description', () => {
    const { entries, remarks } = user(`
# about the file

PATH=/usr/bin:/bin
NAME = "with blanks"
# first line
# second line
5 4 * * * backup --all
CRON_TZ=Asia/Tokyo
SHELL=/bin/bash
MAILTO=ops@example.com
@daily  other
`);
    expect(entries).toEqual([
      {
        line: 8,
        schedule: '5 4 * * *',
        command: 'backup --all',
        description: 'first line second line',
        isDisabled: false,
        env: { PATH: '/usr/bin:/bin', NAME: 'with blanks' },
      },
      {
        line: 12,
        schedule: '@daily',
        command: 'other',
        description: '',
        isDisabled: false,
        env: { PATH: '/usr/bin:/bin', NAME: 'with blanks' },
        shell: '/bin/bash',
        mailTo: 'ops@example.com',
        zone: 'Asia/Tokyo',
      },
    ]);
    expect(remarks).toMatchObject([{ line: 11, level: 'info' }]);
  });

  test('a percent sign begins the input, an escaped one is a percent sign', () => {
    const [entry] = user('5 4 * * * mail -s "50\\% off" you%Dear you,%bye').entries;
    expect(entry).toMatchObject({ command: 'mail -s "50% off" you', stdin: 'Dear you,\nbye\n' });
    expect(user('5 4 * * * date +\\%F').entries[0]).toMatchObject({ command: 'date +%F' });
  });

  test('the files of the system have a user in front of the command', () => {
    const { entries, remarks } = readCrontab('17 *\t* * *\troot\tcd / && run-parts /etc/cron.hourly', {
      isSystem: true,
    });
    expect(entries[0]).toMatchObject({
      schedule: '17 * * * *',
      user: 'root',
      command: 'cd / && run-parts /etc/cron.hourly',
    });
    expect(remarks).toMatchObject([{ level: 'warning', message: expect.stringContaining('not as root') }]);
  });

  test('a line that is commented out is an entry, a sentence is a comment', () => {
    const { entries } = user('#5 4 * * * off\n# 5 big jobs run at night\n6 4 * * * on');
    expect(entries.map(({ command, isDisabled, description }) => [command, isDisabled, description])).toEqual(
      [
        ['off', true, ''],
        ['on', false, '5 big jobs run at night'],
      ],
    );
  });

  test('what cannot be had is said with its line', () => {
    const { entries, remarks } = user('@reboot start\n61 * * * * x\nnonsense\n@fortnightly x\n* * * * *');
    expect(entries).toEqual([]);
    expect(remarks.map(({ line, level }) => [line, level])).toEqual([
      [1, 'warning'],
      [2, 'error'],
      [3, 'error'],
      [4, 'error'],
      [5, 'error'],
    ]);
    expect(remarks[1]?.message).toContain('minute 61 is not in range');
  });
});

describe('schedules', () => {
  test('are named after the command, the same way in any order', () => {
    const lines = [
      '5 4 * * * /usr/local/bin/backup.sh --full > /dev/null 2>&1',
      '0 1 * * * cd /srv/app && ./bin/report.py daily',
      '0 1 * * * echo hi',
      '0 2 * * * echo hi',
      '0 3 * * * sudo nice -n 10 tidy',
      '0 4 * * * ????',
    ];
    const ids = imported(lines.join('\n')).map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['backup', 'report-daily']);
    expect(ids[2]).toMatch(/^echo-hi-[0-9a-z]{5}$/);
    expect(ids[3]).toMatch(/^echo-hi-[0-9a-z]{5}$/);
    expect(ids.slice(4)).toEqual(['10-tidy', 'command']);
    expect(new Set(ids).size).toBe(6);
    expect(
      imported([...lines].reverse().join('\n'))
        .map(({ id }) => id)
        .reverse(),
    ).toEqual(ids);
  });

  test('the very same line twice runs twice', () => {
    const [a, b] = imported('0 1 * * * x\n0 1 * * * x').map(({ id }) => id);
    expect(b).toBe(`${a}-2`);
  });

  test('go through the shell of the file, with its variables, and may overlap', () => {
    const [plain, bash] = imported('A=1\n5 4 * * * x | y\nSHELL=/bin/bash\n5 4 * * * z');
    expect(plain?.input).toMatchObject({
      cron: '5 4 * * *',
      zone: 'Europe/Berlin',
      command: { argv: ['x | y'], shell: true, env: { A: '1' } },
      overlap: 'allowAll',
    });
    expect(bash?.input.command).toMatchObject({ argv: ['/bin/bash', '-c', 'z'] });
    for (const each of [plain, bash]) expect(() => readScheduleInput(each?.input)).not.toThrow();
  });

  test('the shell gives the command exactly the input that cron would', () => {
    const [entry] = imported('5 4 * * * cat # why%it\'s%50\\% "done"');
    const [line = ''] = entry?.input.command?.argv ?? [];
    const { stdout } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8' });
    expect(stdout).toBe('it\'s\n50% "done"\n');
  });

  test('are proved to run at the same times, and a difference is found', () => {
    const proofs = imported('*/7 2 * * *\tx\n0 0 13 * 5 y\n0 12 29 2 * z').map(({ proof }) => proof);
    expect(proofs).toEqual([{ times: 100 }, { times: 100 }, { times: 1 }]);
    // `L` is ours, not that of cron.
    expect(imported('5 4 L * * x')[0]?.proof.difference).toContain('cannot hold');
    expect(imported('5 4 * * 7/2 x')[0]?.proof.difference).toMatch(/^time 1: here .*, by plain cron /);
    const lost = importEntries(user('CRON_TZ=Nowhere/Land\n5 4 * * * x').entries, {
      zone: 'UTC',
      now,
      compare: 1,
    });
    expect(lost[0]?.proof.difference).toBe('there is no zone Nowhere/Land');
  });
});
