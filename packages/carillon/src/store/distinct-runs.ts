/** The new runs of one commit must have different names, because no store could say which of them to refuse. */
import { StoreError } from './error.ts';
import type { RunRow } from './records.ts';

export function checkDistinct(runs: readonly RunRow[]): void {
  const ids = new Set<string>();
  let aliases: Set<string> | undefined;
  for (const { id, namespace, alias, exclusive } of runs) {
    if (ids.has(id)) throw new StoreError('conflict', `run ${id} is inserted twice in one commit`);
    ids.add(id);
    if (!exclusive || alias === null) continue;
    aliases ??= new Set();
    const name = aliasKey(namespace, alias);
    if (aliases.has(name))
      throw new StoreError('conflict', `alias ${JSON.stringify(alias)} is used twice in one commit`);
    aliases.add(name);
  }
}

/** The name of an exclusive alias as one text. */
export function aliasKey(namespace: string, alias: string): string {
  return `${namespace}\0${alias}`;
}
