/**
 * The directions of import are the design (`directions.ts`). Ambient time, timers, randomness and the environment have
 * few homes (`homes.ts`), because everything else must be replayable from its arguments.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { crossings, importsOf, sourceFiles } from '../../scripts/import-graph.mjs';
import { withoutComments } from '../../scripts/without-comments.mjs';
import { directions } from './directions.ts';
import { type Ambient, ambient, homes } from './homes.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const files = sourceFiles(repository);
const imports = crossings(repository);

describe('directions', () => {
  test('every folder has a row, and every row a folder', () => {
    const found = new Set(files.map((file) => `${file.package}: ${file.part}`));
    const granted = new Set(
      Object.entries(directions).flatMap(([name, rows]) =>
        Object.keys(rows).map((part) => `${name}: ${part}`),
      ),
    );
    expect([...found].filter((part) => !granted.has(part))).toEqual([]);
    expect([...granted].filter((part) => !found.has(part))).toEqual([]);
  });

  test('every import follows an edge, and types-only edges carry types only', () => {
    const wrong = imports.flatMap(({ package: owner, name, from, to, typeOnly }) => {
      const { runtime = [], types = [] } = directions[owner]?.[from] ?? {};
      if (runtime.includes(to) || (typeOnly && types.includes(to))) return [];
      const what = types.includes(to) ? 'at runtime, but only types are granted' : 'which is not granted';
      return [`${name} imports ${to}, ${what}`];
    });
    expect(wrong).toEqual([]);
  });

  test('every edge is used the way it is granted', () => {
    const wrong = Object.entries(directions).flatMap(([owner, rows]) =>
      Object.entries(rows).flatMap(([from, { runtime, types = [] }]) => {
        const uses = (to: string) =>
          imports.filter((each) => each.package === owner && each.from === from && each.to === to);
        return [
          ...runtime.flatMap((to) => {
            if (uses(to).length === 0) return [`${owner}: ${from} → ${to} is unused: remove it`];
            return uses(to).some((each) => !each.typeOnly)
              ? []
              : [`${owner}: ${from} → ${to} belongs in types`];
          }),
          ...types.flatMap((to) => {
            if (runtime.includes(to)) return [`${owner}: ${from} → ${to} is granted twice: keep runtime`];
            return uses(to).length === 0 ? [`${owner}: ${from} → ${to} is unused: remove it`] : [];
          }),
        ];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('folders of one package do not import each other in a circle at runtime', () => {
    const next = (owner: string, part: string) => directions[owner]?.[part]?.runtime ?? [];
    const reaches = (owner: string, part: string, goal: string, seen = new Set<string>()): boolean =>
      next(owner, part).some((to) => {
        if (to === goal) return true;
        if (seen.has(to)) return false;
        seen.add(to);
        return reaches(owner, to, goal, seen);
      });
    const wrong = Object.entries(directions).flatMap(([owner, rows]) =>
      Object.keys(rows).filter((part) => reaches(owner, part, part)),
    );
    expect(wrong).toEqual([]);
  });

  test('no door knows another, no store knows another', () => {
    const siblings = imports.filter(
      ({ from, to }) => from.includes('/') && from.split('/')[0] === to.split('/')[0] && to.includes('/'),
    );
    expect(siblings).toEqual([]);
  });

  test('the spec library and the doctor need nothing from Node', () => {
    const wrong = files
      .filter(({ package: owner, part }) => owner === 'carillon' && (part === 'spec' || part === 'doctor'))
      .filter(({ file }) =>
        importsOf(readFileSync(file, 'utf8')).some(({ target }) => target.startsWith('node:')),
      );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

/** A timer that resolves a promise. Timers that reject, abort or call a method bound some work; they are no sleeps. */
const sleeper = /\bwakeAt\([^;]*?, (?:\(\) => )?resolve\b/;

describe('homes', () => {
  /** What each file touches, comments apart. */
  const touched = new Map(
    files.map(({ file, name }) => {
      const code = withoutComments(readFileSync(file, 'utf8'));
      const kinds = (Object.keys(ambient) as Ambient[]).filter((kind) => ambient[kind].test(code));
      return [name, kinds] as const;
    }),
  );

  test('time, timers, randomness, the environment and new clocks are touched only at home', () => {
    const wrong = [...touched].flatMap(([name, kinds]) =>
      kinds.filter((kind) => !homes[name]?.may.includes(kind)).map((kind) => `${name}: ${kind}`),
    );
    expect(wrong).toEqual([]);
  });

  test('sleeps are `Wakeup` and `pause`: no other file makes a promise of a timer', () => {
    const wrong = files.filter(
      ({ name, file }) => !name.startsWith('carillon/base/') && sleeper.test(readFileSync(file, 'utf8')),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('every home needs what it is granted', () => {
    const wrong = Object.entries(homes).flatMap(([name, { may }]) =>
      may.filter((kind) => !touched.get(name)?.includes(kind)).map((kind) => `${name}: ${kind} is unused`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('reading imports', () => {
  test.each([
    ["import { a } from './a.ts';", './a.ts', false],
    ["import type { A } from './a.ts';", './a.ts', true],
    ["import { type A } from './a.ts';", './a.ts', false],
    ["import {\n  a,\n  type B,\n} from './a.ts';", './a.ts', false],
    ["export * from './a.ts';", './a.ts', false],
    ["export type { A } from './a.ts';", './a.ts', true],
    ["import './a.ts';", './a.ts', false],
    ["const a = await import('./a.ts');", './a.ts', false],
    ["const load = () => import('./a.ts');", './a.ts', false],
    ["let a: import('./a.ts').A;", './a.ts', true],
    ["let a = b as typeof import('./a.ts');", './a.ts', true],
    ["const load = { a: import('./a.ts') };", './a.ts', false],
    ["const load = isNew ? b : import('./a.ts');", './a.ts', false],
    ["const load = () => loading || import('./a.ts');", './a.ts', false],
    ["const load = () => import('./a.ts').then(({ A }) => A);", './a.ts', false],
    ['const load = () => import(`./a.ts`);', './a.ts', false],
    ['import { a } from "./a.ts";', './a.ts', false],
    ['import "./a.ts";', './a.ts', false],
  ])('%s', (text, target, typeOnly) => {
    expect(importsOf(text)).toEqual([{ target, typeOnly }]);
  });

  test('an import in a comment is none', () => {
    expect(importsOf("/** import { a } from './a.ts'; */\n// import './b.ts';\n")).toEqual([]);
  });

  test.each([
    ["accept('*/*'); Date.now(); /* a */ b", "accept('*/*'); Date.now();  b"],
    ["get('http://a') // b", "get('http://a') "],
    [`const glob = \`a/*\${b ? \`/*\` : c}\`; // d`, `const glob = \`a/*\${b ? \`/*\` : c}\`; `],
    ['text.replace(/[/*]/g, d); // e', 'text.replace(/[/*]/g, d); '],
    ['const half = a / b; // c / d', 'const half = a / b; '],
  ])('%s is searched as %s', (text, code) => {
    expect(withoutComments(text)).toBe(code);
  });

  test.each([
    ["import { setTimeout as sleep } from 'node:timers/promises';", 'timer module'],
    ['const signal = AbortSignal.timeout(5);', 'timer'],
    ['const { setInterval } = globalThis;', 'timer'],
    ['const clock = new SystemClock();', 'new clock'],
    ['const clock = new SteadyClock();', 'new clock'],
    ['const clock = new base.SystemClock();', 'new clock'],
    ["import { SystemClock as Time } from '../base/clock.ts';", 'new clock'],
    ["import { performance as p } from 'node:perf_hooks';", 'stopwatch'],
    ["import { hrtime } from 'node:process';", 'stopwatch'],
    ['const { now } = performance;', 'stopwatch'],
    ['const { now } = Date;', 'wall clock'],
    ['const text = Date();', 'wall clock'],
    ['Atomics.wait(cells, 0, 0, 5);', 'timer'],
    ['const id = randomUUID();', 'randomness'],
    ["import { randomUUID as newId } from 'node:crypto';", 'randomness'],
    ["import { env } from 'node:process';", 'environment'],
    ['crypto.getRandomValues(bytes);', 'randomness'],
  ] as const)('%s is seen as %s', (code, kind) => {
    expect(ambient[kind].test(code)).toBe(true);
  });

  test.each([
    ['new Promise((resolve) => clock.wakeAt(addTime(clock.now(), ms), resolve));', true],
    ['cancel = clock.wakeAt(until, () => resolve());', true],
    ['cancel = clock.wakeAt(until, () => controller.abort());', false],
  ])('%s is a sleep: %s', (code, isSleep) => {
    expect(sleeper.test(code)).toBe(isSleep);
  });
});
