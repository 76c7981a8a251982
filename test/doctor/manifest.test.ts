import { describe, expect, test } from 'vitest';

import { kindNames } from '../../packages/carillon/src/action/kind.ts';
import type { ManifestOptions } from '../../packages/carillon/src/doctor/manifest.ts';
import { readManifest as readWith } from '../../packages/carillon/src/doctor/manifest.ts';
import { parseYaml } from '../../packages/server/src/cli/yaml.ts';

const readManifest = (text: string, options: ManifestOptions = {}) =>
  readWith(text, { ...options, parse: parseYaml });

function problems(text: string) {
  const read = readManifest(text);
  return read.ok ? [] : read.problems.map(({ line, path, reason }) => [line, path, reason]);
}

describe('a manifest', () => {
  test('is YAML or JSON, a list or an object by id, with defaults', () => {
    const yaml = readManifest(`
owner: team
defaults: { zone: Europe/Berlin, every: 1h, run: usual }
schedules:
  - id: a
  - id: b
    cron: '5 4 * * *'
    http: { url: https://example.com }
`);
    expect(yaml).toMatchObject({
      ok: true,
      manifests: [
        {
          owner: 'team',
          entries: [
            { id: 'a', line: 5, input: { every: '1h', run: 'usual', owner: 'team' } },
            { id: 'b', line: 6, input: { cron: '5 4 * * *', zone: 'Europe/Berlin' } },
          ],
        },
      ],
    });
    if (yaml.ok) {
      // An entry that gives any field about its times, or about its work, replaces all such defaults.
      expect(yaml.manifests[0]?.entries[1]?.input).not.toHaveProperty('every');
      expect(yaml.manifests[0]?.entries[1]?.input).not.toHaveProperty('run');
    }
    const json = readManifest(
      JSON.stringify({ owner: 'team', namespace: 'n', schedules: { a: { every: '1h', run: 'x' } } }),
    );
    expect(json).toMatchObject({ ok: true, manifests: [{ namespace: 'n', entries: [{ id: 'a' }] }] });
  });

  test('an entry of any kind takes the place of the kind among the defaults', () => {
    const entries: Readonly<Record<string, object>> = {
      run: { run: 'own' },
      http: { http: { url: 'https://example.com' } },
      command: { command: { argv: ['backup'] } },
      bullmq: { bullmq: { queue: 'mail' } },
      conductor: { conductor: { workflow: 'report' } },
      temporal: { temporal: { workflowType: 'report', taskQueue: 'work' } },
    };
    expect(Object.keys(entries)).toEqual(kindNames);
    for (const usual of kindNames) {
      const defaults = { every: '1h', ...entries[usual] };
      const read = readManifest(JSON.stringify({ owner: 'team', defaults, schedules: entries }));
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      const kinds = read.manifests[0]?.entries.map(({ id, draft }) => [id, draft.action.kind]);
      expect(kinds).toEqual(kindNames.map((kind) => [kind, kind]));
    }
  });

  test('may have several documents; those of one owner are one declaration', () => {
    const read = readManifest(`
owner: a
schedules: { one: { every: 1h, run: x } }
---
schedules: { two: { every: 1h, run: x } }
---
owner: b
schedules: { three: { every: 1h, run: x } }
---
# only a comment
`);
    expect(
      read.ok && read.manifests.map(({ owner, entries }) => [owner, entries.map(({ id }) => id)]),
    ).toEqual([
      ['a', ['one', 'two']],
      ['b', ['three']],
    ]);
  });

  test('everything wrong is reported at once, each with its line', () => {
    expect(
      problems(`owner: team
defaults:
  zone: Europe/Berln
extra: 1
schedules:
  - id: a
    cron: '0 25 * * *'
    run: x
  - id: a
    every: 5x
    run: y
  - cron: '5 4 * * *'
  - 7
  - id: c
    command:
      argv: [ok]
      env:
        A: 1
    owner: other
`),
    ).toEqual([
      [3, 'a.zone', 'UNKNOWN_ZONE'],
      [4, 'extra', 'UNKNOWN_FIELD'],
      [7, 'a.cron', 'OUT_OF_RANGE'],
      [9, 'schedules[1]', 'DUPLICATE_ID'],
      [10, 'a.every', expect.any(String)],
      [12, 'schedules[2].id', 'BAD_ID'],
      [13, 'schedules[3]', 'INVALID_TYPE'],
      [18, 'c.command.env.A', 'INVALID_TYPE'],
      [19, 'schedules[4].owner', 'OTHER_OWNER'],
    ]);
  });

  test('without an owner, without schedules, without sense', () => {
    expect(problems('schedules: []')).toEqual([[1, 'owner', 'OWNER_MISSING']]);
    expect(problems('owner: a')).toEqual([[1, 'schedules', 'SCHEDULES_MISSING']]);
    expect(problems('')).toEqual([[1, '', 'EMPTY']]);
    expect(problems('[1]')).toEqual([[1, '', 'NOT_A_MANIFEST']]);
    expect(problems('owner: a\nowner: b\nschedules: []')).toEqual([[2, '', 'DUPLICATE_KEY']]);
    expect(problems('owner: [a\nschedules: []')[0]?.[2]).toBe('BAD_INDENT');
    expect(readManifest('schedules: []', { owner: 'given' }).ok).toBe(true);
  });
});
