/** A store as it is named on the command line. */
import { existsSync } from 'node:fs';
import { BadInput } from './exit.ts';

/** Opening a file that is not there would make one. */
export function storeUrl(store: string): string {
  const url = /^[a-z]{3,}:/i.test(store) ? store : `sqlite:${store}`;
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path === undefined || path === ':memory:' || existsSync(path)) return url;
  const message = `there is no file ${path}`;
  throw new BadInput([
    { path: '--db', reason: 'NO_FILE', message, fix: 'name the database, or a copy of it' },
  ]);
}
