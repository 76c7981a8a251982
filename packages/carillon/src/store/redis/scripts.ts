/** The Lua scripts, each after the code that all of them share. ioredis sends them by their digest once a server knows them. */
import { assert } from '../../base/assert.ts';
import { scriptFiles } from './script-files.ts';

const names = [
  'select',
  'commit',
  'release',
  'read',
  'list',
  'runs',
  'slots',
  'stretches',
  'events',
  'wake-times',
  'sweep-closed',
  'sweep-runs',
  'forget-runs',
  'sweep-events',
  'sweep-journal',
  'sweep-walk',
  'probe',
] as const;

export type ScriptName = (typeof names)[number];

export interface Script {
  readonly lua: string;
  readonly numberOfKeys: 2;
}

/** The scripts under the names that ioredis gives its methods. */
export function loadScripts(): Record<string, Script> {
  const shared = read('shared');
  return Object.fromEntries(
    names.map((name) => [methodOf(name), { lua: `${shared}\n${read(name)}`, numberOfKeys: 2 as const }]),
  );
}

export function methodOf(name: ScriptName): string {
  return `carillon:${name}`;
}

function read(name: string): string {
  const lua = scriptFiles[`${name}.lua`];
  assert(lua !== undefined, `there is a script ${name}`);
  return lua;
}
