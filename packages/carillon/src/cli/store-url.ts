/** Reads a store from the command line. */
import { existsSync } from 'node:fs';
import { BadInput } from './exit.ts';

/** Refuses a missing file, because opening it would create it. */
export function storeUrl(store: string): string {
  const url = /^[a-z]{3,}:/i.test(store) ? store : `sqlite:${store}`;
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined || path === ':memory:' || existsSync(path)) return url;
  const message = `there is no file ${path}`;
  throw new BadInput([
    { path: '--db', reason: 'NO_FILE', message, fix: 'give the path of the database, or of a copy of it' },
  ]);
}
