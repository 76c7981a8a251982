/** Tables on the pages list exactly what the sources have. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { closedList } from '../../packages/carillon/src/base/closed-list.ts';
import { exitCode } from '../../packages/carillon/src/cli/exit.ts';
import { serverSummaries } from '../../packages/carillon/src/cli/server-commands.ts';
import type { Answer } from '../../packages/carillon/src/scheduler/explain.ts';
import type { Verdict } from '../../packages/carillon/src/scheduler/verdict.ts';
import { verdicts } from '../../packages/carillon/src/scheduler/verdict.ts';
import { configSchema, variables } from '../../packages/server/src/server/config.ts';
import { firstCells, root, textOf } from './pages.ts';

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

test('every answer of explain is explained', () => {
  const others = closedList<Exclude<Answer, Verdict>>({
    notYet: true,
    due: true,
    overdue: true,
    notInSpec: true,
    beforeCreation: true,
    afterEnd: true,
    forgotten: true,
  });
  const cells = firstCells('docs/guides/why-did-it-not-run.md', /^\| Answer /);
  expect(sorted(cells)).toEqual(sorted([...verdicts, ...others]));
});

test('every setting is listed with its variable', () => {
  const cells = firstCells('docs/server.md', /^\| Setting /);
  const covers = (cell: string, path: string) =>
    path === cell || path.startsWith(`${cell.replace(/\.\*$/, '')}.`);
  // A group that can also be switched off as a whole is described by its members.
  const paths = leaves(configSchema).filter(
    (path, _, all) => !all.some((other) => other.startsWith(`${path}.`)),
  );
  expect(paths.filter((path) => !cells.some((cell) => covers(cell, path)))).toEqual([]);
  expect(cells.filter((cell) => !paths.some((path) => covers(cell, path)))).toEqual([]);
  const text = textOf('docs/server.md');
  expect(Object.keys(variables).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

/** The paths of all settings; lists are one setting. */
function leaves(schema: z.ZodType, path = ''): readonly string[] {
  const {
    shape,
    innerType,
    options,
    in: input,
  } = schema.def as {
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly innerType?: z.ZodType;
    readonly options?: readonly z.ZodType[];
    readonly in?: z.ZodType;
  };
  if (shape !== undefined) {
    return Object.entries(shape).flatMap(([name, inner]) =>
      leaves(inner, path === '' ? name : `${path}.${name}`),
    );
  }
  const inner = innerType ?? input;
  if (inner !== undefined) return leaves(inner, path);
  return options === undefined ? [path] : sorted(options.flatMap((option) => leaves(option, path)));
}

test('every metric is listed, and no other', () => {
  const folders = ['packages/carillon/src/metrics', 'packages/server/src/server/metrics'];
  const named = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
      .flatMap((name) =>
        [
          ...readFileSync(join(root, folder, name), 'utf8').matchAll(/'((?:carillon|scheduler)_[a-z_]+)'/g),
        ].map(([, metric = '']) => metric),
      ),
  );
  expect(sorted(firstCells('docs/observability.md', /^\| Metric /))).toEqual(sorted(named));
});

test('every command is listed', () => {
  const words = firstCells('docs/cli.md', /^\| Command /).map((cell) => cell.split(' ')[0] ?? '');
  expect(sorted(words)).toEqual(
    sorted([...Object.keys(serverSummaries), 'next', 'lint', 'dst', 'import', 'exit-codes', 'version']),
  );
});

test('every exit code is listed', () => {
  const codes = [...textOf('docs/cli.md').matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(expect.arrayContaining(Object.values(exitCode)));
});
