/** What the next deploy will do to a schedule that code or a manifest declares, from its audit. Pure. */
import type { AuditJson } from 'carillon/client';
import { declaredNote } from 'carillon/client';
import type { FieldChange } from '../audit/change.ts';
import { diffOf } from '../audit/change.ts';

export interface Drift extends FieldChange {
  readonly by: string;
  readonly at: number;
}

export interface Deployed {
  /** When the declaration was last applied; undefined when that is older than the audit entries that were read. */
  readonly at: number | undefined;
  /** Fields that people changed since; the next deploy restores them. */
  readonly drift: readonly Drift[];
}

type Entry = Pick<AuditJson, 'at' | 'actor' | 'door' | 'action' | 'note'> & {
  readonly changes?: readonly FieldChange[];
};

/** Fields that belong to people and runs; a deploy does not change them. */
const kept = ['paused', 'remaining', 'note'];

/** `entries` come newest first. */
export function deployedOf(entries: readonly Entry[]): Deployed {
  const last = entries.findIndex(isDeclared);
  const since = last < 0 ? entries : entries.slice(0, last);
  const byPath = new Map<string, Drift>();
  for (const entry of [...since].reverse()) {
    for (const { path, before, after } of diffOf(entry)) {
      if (kept.includes(path.split('.')[0] ?? '')) continue;
      // The first change has the declared value, the last one the value in force.
      const declared = byPath.get(path)?.before ?? before;
      byPath.set(path, { path, before: declared, after, by: entry.actor, at: Date.parse(entry.at) });
    }
  }
  const at = entries[last]?.at;
  return {
    at: at === undefined ? undefined : Date.parse(at),
    drift: [...byPath.values()].filter(
      ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
    ),
  };
}

function isDeclared({ door, note }: Entry): boolean {
  return door === 'periodic' || note === declaredNote;
}

/** `periodic` is code, `manifest:billing` a file of that name. */
export function declarerText(declaredBy: string): string {
  if (declaredBy === 'periodic') return 'its code';
  const name = declaredBy.replace(/^manifest:/, '');
  return name === 'default' ? 'a manifest' : `the manifest ${name}`;
}
