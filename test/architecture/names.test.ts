/**
 * One word per thing, one thing per word: an exported type or class has its name to itself within its package. Parts
 * share a name only where it means the same thing in each of them.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { sourceFiles } from '../../scripts/import-graph.mjs';
import { withoutComments } from '../../scripts/without-comments.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));

interface Shared {
  readonly because: string;
  readonly package: string;
  /** The parts that may share the names, each in one file of its own. */
  readonly parts: RegExp;
  readonly names: readonly string[];
}

/** A name that no longer stands in several files is an error, so that the list never outlives its reasons. */
const shared: readonly Shared[] = [
  {
    because: 'the same piece of every store: its rows, its connection, a step of its transactions',
    package: 'carillon',
    parts: /^store\/\w+$/,
    names: [
      'Address',
      'Connection',
      'ConnectionOptions',
      'Driver',
      'DriverConfig',
      'EventRows',
      'ExecutionRows',
      'JournalRows',
      'Listing',
      'LogRows',
      'PartRows',
      'RunRows',
      'Selected',
      'SlotRows',
      'SqlRow',
      'Statement',
      'StoredRun',
      'Surplus',
      'Surroundings',
      'Sweeper',
      'Tables',
      'Transaction',
    ],
  },
  {
    because: 'the same thing on both sides of the API: in the process, and as a client sends or receives it',
    package: 'carillon',
    parts: /^(client|service|embed)$/,
    names: ['About', 'AuditFilters', 'NamespaceDetails', 'WorkInput'],
  },
  {
    because: 'a page of rows, and of what is shown of them',
    package: 'carillon',
    parts: /^(store|service)$/,
    names: ['Page'],
  },
  {
    because: 'the ledger of every archetype, and the same with the verdicts of one archetype',
    package: 'carillon',
    parts: /^(ledger|scheduler|host)$/,
    names: ['Judged', 'Stretch'],
  },
  {
    because: 'the runtime records a silence and the scheduler explains by it; neither may import the other',
    package: 'carillon',
    parts: /^(runtime|scheduler)$/,
    names: ['Silence'],
  },
  {
    because: 'an operation of a door and what it is called with',
    package: 'server',
    parts: /^door\/\w+$/,
    names: ['Call', 'Matched', 'Operation'],
  },
];

const declaration = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

function declaredIn(text: string): readonly string[] {
  return [...withoutComments(text).matchAll(declaration)].map(([, name = '']) => name);
}

/** The files of each exported name, by package and name: `carillon: Store`. */
const places = new Map<string, { readonly name: string; readonly part: string }[]>();
for (const { file, name, part, package: owner } of sourceFiles(repository)) {
  for (const declared of new Set(declaredIn(readFileSync(file, 'utf8')))) {
    const key = `${owner}: ${declared}`;
    places.set(key, [...(places.get(key) ?? []), { name, part }]);
  }
}

describe('the name of an exported type or class', () => {
  test('stands in one file of a package, or in the list with the reason why it is shared', () => {
    const listed = shared.flatMap(({ package: owner, names }) => names.map((name) => `${owner}: ${name}`));
    const repeated = [...places].filter(([, files]) => files.length > 1).map(([key]) => key);
    expect(repeated.sort()).toEqual(listed.sort());
  });

  test.each(shared)('is shared as $because: $names', ({ package: owner, parts, names }) => {
    const wrong = names.flatMap((name) => {
      const files = places.get(`${owner}: ${name}`) ?? [];
      const isOnce = new Set(files.map(({ part }) => part)).size === files.length;
      return isOnce && files.every(({ part }) => parts.test(part))
        ? []
        : [`${name}: ${files.map((file) => file.name).join(', ')}`];
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['export interface A<T> {}\nexport type B = A<string>;', ['A', 'B']],
    ['export class A extends B {}\nexport abstract class C {}\nexport declare class D {}', ['A', 'C', 'D']],
    ["export type { A } from './a.ts';\nexport { B } from './b.ts';", []],
    ['interface A {}\n// export type B = A;\nexport const C = 1;', []],
  ])('%j declares %j', (text, names) => {
    expect(declaredIn(text)).toEqual(names);
  });
});
