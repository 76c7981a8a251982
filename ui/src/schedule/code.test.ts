import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../../packages/carillon/src/cli/arguments.ts';
import { Command } from '../../../packages/carillon/src/cli/command.ts';
import { readManifest } from '../../../packages/carillon/src/doctor/manifest.ts';
import { commandLines } from '../../../packages/carillon/src/internal/action.ts';
import {
  readScheduleInput,
  writeScheduleInput,
} from '../../../packages/carillon/src/service/schedule-input.ts';
import {
  type DefinitionOptions,
  definitionOptions,
  readDefinition,
} from '../../../packages/server/src/cli/schedule-options.ts';
import { parseYaml } from '../../../packages/server/src/cli/yaml.ts';
import { withPlainTimes } from '../edit/plain-times.ts';
import { codeOf, commandsOf } from './code.ts';
import { pastedOf } from './pasted.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Definitions as a person writes them. */
const written: Readonly<Record<string, Fields>> = {
  plain: { cron: '0 2 * * *', zone: 'Europe/Berlin', catchup: '2h', run: 'report' },
  'several times': { cron: ['0 9 * * 1-5', '30 12 * * 6'], at: '2026-12-01T10:00:00Z', run: 'report' },
  interval: { every: '15m', offset: '5m', jitter: '30s', run: 'report', queue: 'slow', timeout: '1h30m' },
  rule: {
    rrule: 'FREQ=DAILY;BYHOUR=9',
    run: 'x',
    dst: { gap: 'skip', fold: 'both' },
    startAt: '2026-12-01T00:00:00Z',
  },
  policies: {
    cron: '0 0 9 * * *',
    dialect: 'spring',
    run: "it's",
    overlap: 'allowAll',
    limit: 3,
    missed: 'latest',
    pauseAfterFailures: 5,
    retry: { attempts: 3, delays: ['1s', '1m'] },
    input: { list: [1, 'two', null], 'odd key': "it's -- \\n" },
    excludeDates: ['2026-12-24', '2026-12-25'],
    tags: ['billing', 'a b'],
    owner: 'billing',
    description: '- first: # "second"\nthird',
  },
  request: { cron: '@daily', http: { url: 'https://example.com/x?a=1&b=2', method: 'PUT' }, note: 'yes' },
  command: { every: '1d', command: { argv: ['sh', '-c', 'echo "a b"'], timeout: '1m' }, idleClose: '0s' },
  'a spec that no plain field says': {
    spec: {
      calendars: [{ hour: '9' }],
      cron: [{ text: '@hourly' }],
      exclude: { cron: [{ text: '0 12 * * *' }] },
    },
    run: 'x',
    retry: { attempts: 2, initial: '1s', longest: '1m' },
    memo: { a: 1 },
  },
  'by hand': { run: 'x' },
};

const meant = (input: unknown) => readScheduleInput(input);

describe.each(Object.entries(written))('a copy of %s', (_, input) => {
  const told = JSON.parse(JSON.stringify(writeScheduleInput(meant(input) as never))) as Fields;

  test('has the fields that were written, and no others', () => {
    const pasted = pastedOf(told);
    const added = Object.keys(pasted).filter((name) => input[name] === undefined);
    // A request has its own usual number of attempts, which is told.
    expect(added).toEqual(input.http === undefined ? [] : ['retry']);
    expect(pasted.cron).toEqual(input.cron);
    expect(pasted.catchup).toBe(input.catchup);
  });

  test('as JSON means the same, also in the form', () => {
    const { id, ...fields } = JSON.parse(codeOf('json', 'a', told));
    expect(id).toBe('a');
    expect(meant(fields)).toEqual(meant(input));
    expect(meant(withPlainTimes(fields))).toEqual(meant(input));
  });

  test('as YAML is a manifest', () => {
    const read = readManifest(codeOf('yaml', 'nightly: report', told), { parse: parseYaml });
    const [manifest] = read.ok ? read.manifests : [];
    expect(read).toMatchObject({ ok: true });
    expect(manifest?.entries[0]?.id).toBe('nightly: report');
    const { owner = 'my-team' } = input;
    expect(manifest?.entries[0]?.draft).toEqual(meant({ ...input, owner, declaredBy: 'manifest:default' }));
  });

  test('as TypeScript can be run', async () => {
    const code = codeOf('ts', "it's", told).replace(/^await /, '');
    const read = new Function('carillon', `return (${code.replace(/;$/, '')})`);
    const carillon = { schedules: { upsert: (id: string, given: object) => ({ id, given }) } };
    const { id, given } = read(carillon) as { id: string; given: object };
    expect(id).toBe("it's");
    expect(meant(given)).toEqual(meant(input));
  });

  test('as a command is read by the shell and the command line', async () => {
    const [create = ''] = commandsOf('a b', told);
    const script = `carillon() { printf '%s\\0' "$@"; case "$*" in *--file*) cat;; esac; }\n${create}`;
    const { stdout, status } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(status).toBe(0);
    const words = stdout.split('\0');
    const stdin = words.pop() ?? '';
    expect(words[0]).toBe('schedule');
    const program = new Command('carillon');
    // The published types of the same class are another class for the compiler.
    definitionOptions(program.command('create <id>') as never, commandLines);
    program.commands[0]?.option('--replace', '');
    const asked = readArguments(program, words.slice(1));
    const [id, { replace: _, file, ...options }] = (
      asked as unknown as { readonly given: readonly [string, DefinitionOptions] }
    ).given;
    expect(id).toBe('a b');
    const given = file === undefined ? await readDefinition({} as never, id, options) : JSON.parse(stdin);
    expect(meant(given)).toEqual(meant(input));
  });
});

test('a form that can say it is what the readme writes', () => {
  const told = writeScheduleInput(meant(written.plain) as never) as Fields;
  expect(codeOf('ts', 'report', told)).toBe(
    "await carillon.schedules.upsert('report', {\n  cron: '0 2 * * *',\n  zone: 'Europe/Berlin',\n  run: 'report',\n  catchup: '2h',\n});",
  );
  expect(commandsOf('report', told)[0]).toBe(
    "carillon schedule create report --replace --cron '0 2 * * *' --zone Europe/Berlin --run report --catchup 2h",
  );
});
