/**
 * The directions of import are the design: who may know whom. Ambient time, randomness, timers and the environment
 * have one home each, because everything else must be replayable from its arguments.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));
const sources = ['carillon', 'server'].map((name) => join(packages, name, 'src'));

/** What each folder may import besides itself. A new folder must be entered here. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  base: [],
  spec: ['base'],
  store: ['base'],
  engine: ['base', 'store'],
  runs: ['base', 'store', 'engine'],
  scheduler: ['base', 'spec', 'store', 'engine', 'runs'],
  // Spans around what others do; imports nothing but their shapes.
  tracing: ['base', 'runs'],
  action: ['base', 'scheduler', 'runs', 'tracing'],
  service: ['base', 'spec', 'store', 'engine', 'runs', 'scheduler', 'action'],
  // Of action only the port: a Carillon is handed its actions and closes them.
  embed: ['base', 'spec', 'store', 'engine', 'runs', 'scheduler', 'service', 'action', 'tracing'],
  testing: ['base', 'spec', 'store', 'engine', 'runs', 'scheduler', 'action', 'service', 'embed'],
  // The lock is a utility of its own; the registry offers it in Redis and in any store.
  lock: ['base', 'store', 'service'],
  periodic: ['base', 'spec', 'store', 'runs', 'scheduler', 'action', 'service', 'embed', 'lock'],
  // Doors translate: of the lower folders they need only types and closed lists.
  door: ['base', 'spec', 'store', 'runs', 'scheduler', 'service', 'embed'],
  // Types only; the client has no code but its own.
  client: ['base', 'door', 'service'],
  // Of runs, scheduler and tracing: shapes, closed lists, and where spans go.
  server: ['base', 'store', 'runs', 'scheduler', 'tracing', 'service', 'embed', 'door', 'main'],
  // What can be said of schedules without running them; pure, for the command line and for pages alike.
  doctor: ['base', 'spec', 'scheduler', 'service'],
  // Of embed only the version.
  cli: ['base', 'spec', 'main', 'client', 'server', 'doctor', 'embed'],
  // Barrels for the server.
  internal: ['base', 'client', 'embed', 'runs', 'scheduler', 'service', 'spec', 'store', 'tracing'],
  main: ['base', 'spec', 'store', 'engine', 'runs', 'scheduler', 'action', 'service', 'embed'],
};

/** The only files that may touch what cannot be replayed. */
const homes: Readonly<Record<string, RegExp>> = {
  'carillon/base/clock.ts': /Date\.now|setTimeout|clearTimeout/,
  'carillon/testing/cluster.ts': /setImmediate/,
  'carillon/store/sqlite/commit-queue.ts': /setImmediate/,
  // Secrets by name, and what commands may see.
  'carillon/main.ts': /process\.env/,
  // The client runs in programs of others, which have no clock of ours.
  'carillon/client/pause.ts': /setTimeout/,
  'carillon/client/request-key.ts': /Date\.now/,
  'server/cli/bin.ts': /process\.env|Date\.now/,
};
const ambient =
  /\bDate\.now\b|\bMath\.random\b|\bset(Timeout|Interval|Immediate)\(|\bprocess\.env\b|\bnew Date\(\)/;

const files = sources.flatMap((source) =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(source, name)),
);

const nameOf = (file: string) => relative(packages, file).replace('/src/', '/');

const folderOf = (file: string) => {
  const [, first = '', rest] = nameOf(file).split('/');
  return rest === undefined ? first.replace(/\.ts$/, '') : first;
};

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
}

/** The folder behind an entry point of the library, as the server names it. */
function entryFolder(target: string): string | undefined {
  const [, rest = ''] = /^carillon(?:\/(?:internal\/)?(.*))?$/.exec(target) ?? [undefined, undefined];
  if (!/^carillon(\/|$)/.test(target)) return undefined;
  return rest === '' ? 'main' : (rest.split('/')[0] as string);
}

describe('architecture', () => {
  test('every import follows the directions of the design', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const own = folderOf(file);
      const may = allowed[own];
      if (may === undefined) {
        wrong.push(`${nameOf(file)}: folder ${own} is not in the table`);
        continue;
      }
      for (const target of importsOf(file)) {
        const other = target.startsWith('.') ? folderOf(resolve(dirname(file), target)) : entryFolder(target);
        if (other === undefined) continue;
        if (other !== own && !may.includes(other)) wrong.push(`${nameOf(file)} imports ${other}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('nobody but main, testing and the bodies themselves names a concrete store', () => {
    const wrong = files.filter((file) => {
      const own = folderOf(file);
      if (own === 'store' || own === 'main' || own === 'testing') return false;
      return importsOf(file).some((target) => /store\/(memory|sqlite|postgres|redis)\//.test(target));
    });
    expect(wrong.map((file) => nameOf(file))).toEqual([]);
  });

  test('the spec library needs nothing from Node', () => {
    const wrong = files.filter(
      (file) => folderOf(file) === 'spec' && importsOf(file).some((target) => target.startsWith('node:')),
    );
    expect(wrong).toEqual([]);
  });

  test('time, randomness, timers and environment are touched only at home', () => {
    const wrong: string[] = [];
    for (const file of files) {
      const name = nameOf(file);
      readFileSync(file, 'utf8')
        .split('\n')
        .forEach((line, index) => {
          const code = line.replace(/\/\/.*|^\s*\*.*|\/\*.*/, '');
          if (ambient.test(code) && !homes[name]?.test(code))
            wrong.push(`${name}:${index + 1} ${line.trim()}`);
        });
    }
    expect(wrong).toEqual([]);
  });
});
