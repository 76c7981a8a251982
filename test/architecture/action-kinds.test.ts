/**
 * What is particular to a kind of work is written in its own files in `action/`, in its row of the table, and where the
 * composition root registers it. Everything else reads the table, so that a new kind is found everywhere at once.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { actionKinds, kindNames } from '../../packages/carillon/src/action/kind.ts';
import { withoutComments } from '../../scripts/without-comments.mjs';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

/** Files that may know kinds: their own, and the composition roots of the library and of the server. */
const homes = [/^carillon\/action\//, /^carillon\/main\.ts$/, /^server\/server\/run-config\.ts$/];

/** Files that are about one kind, by the file that declares the kind. */
const aboutOne: Readonly<Record<string, string>> = {
  'carillon/cli/import-bullmq.ts': 'bullmq-kind', // Its schedules go on adding jobs to the queues they came from.
  'carillon/doctor/bullmq-schedulers.ts': 'bullmq-kind', // The same.
  'carillon/doctor/crontab-schedules.ts': 'command-kind', // A line of a crontab is a command.
  'carillon/internal/service.ts': 'run-kind', // A workflow of the Temporal door is a handler's.
  'carillon/service/action-input.ts': 'run-kind', // Queues are the queues of handlers.
};

/** Words that are also used for something else; these kinds are recognised by how they are written only. */
const commonWords = ['run', 'http', 'command', 'conductor', 'temporal'];

interface Source {
  readonly name: string;
  /** Without comments. */
  readonly code: string;
}

const sources: readonly Source[] = ['carillon', 'server'].flatMap((name) => {
  const root = join(packages, name, 'src');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({
      name: `${name}/${file}`,
      code: withoutComments(readFileSync(join(root, file), 'utf8')),
    }));
});

const elsewhere = sources.filter(({ name }) => !homes.some((home) => home.test(name)));
const names = kindNames.join('|');

function found(pattern: RegExp, among = elsewhere): readonly string[] {
  return among.flatMap(({ name, code }) => [...code.matchAll(pattern)].map(([text]) => `${name}: ${text}`));
}

describe('kinds of work', () => {
  test('each row of the table stands under its own name', () => {
    for (const [name, { kind }] of Object.entries(actionKinds)) expect(kind).toBe(name);
    expect(kindNames.length).toBeGreaterThanOrEqual(4);
  });

  test('no other file compares or sets a kind by its name', () => {
    expect(found(new RegExp(`\\bkind\\s*(?:[!=]==|:)\\s*'(?:${names})'`, 'g'))).toEqual([]);
    expect(found(new RegExp(`'(?:${names})'\\s*[!=]==\\s*[\\w.]*kind\\b`, 'g'))).toEqual([]);
  });

  test('no other file lists kinds', () => {
    const list = new RegExp(`\\[[^\\]]*'(${names})'[^\\]]*'(?!\\1)(?:${names})'[^\\]]*\\]`, 'g');
    expect(found(list)).toEqual([]);
  });

  test('no other file imports what belongs to one kind', () => {
    const wrong = elsewhere.flatMap(({ name, code }) =>
      [...code.matchAll(new RegExp(`/((?:${names})-(?:kind|action))\\.ts'`, 'g'))]
        .filter(([, file]) => aboutOne[name] !== file)
        .map(([, file]) => `${name} imports ${file}`),
    );
    expect(wrong).toEqual([]);
  });

  test('no other file mentions a kind whose name means nothing else', () => {
    const unmistakable = kindNames.filter((name) => !commonWords.includes(name));
    expect(unmistakable).toContain('bullmq');
    // A file that lists or declares one kind writes its name.
    const others = elsewhere
      .filter(({ name }) => !unmistakable.some((kind) => aboutOne[name] === `${kind}-kind`))
      .map(({ name, code }) => ({ name, code: code.replaceAll(/from '[^']+'/g, '') }));
    expect(found(new RegExp(`\\b(?:${unmistakable.join('|')})\\b`, 'g'), others)).toEqual([]);
  });

  test('the check finds what it looks for', () => {
    const name = 'server/cli/invented.ts';
    const code = `if (kind === 'http') return; const kinds = ['run', 'bullmq'];`;
    expect(
      found(new RegExp(`\\bkind\\s*(?:[!=]==|:)\\s*'(?:${names})'`, 'g'), [{ name, code }]),
    ).toHaveLength(1);
    expect(found(/\bbullmq\b/g, [{ name, code }])).toHaveLength(1);
  });
});
