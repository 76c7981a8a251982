/** The difference between two versions of stored JSON, field by field, as people read it. */
import { isSameJson } from '../../base/same-json.ts';

export interface FieldChange {
  /** The path of the field, for example `policy.overlap`. */
  readonly path: string;
  /** The values before and after; absent where the field was absent. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Objects are compared field by field to this depth; a list is one value. */
const deepest = 4;
/** The most changes of one difference; a caller that needs all of them reads both versions. */
const mostChanges = 100;

/** Fields that follow from others and that no person sets. */
const derived: ReadonlySet<string> = new Set(['origin', 'seed']);

export function fieldChanges(before: unknown, after: unknown): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  compare({ before, after, path: '', depth: 0 }, changes);
  return changes.slice(0, mostChanges);
}

interface Compared {
  readonly before: unknown;
  readonly after: unknown;
  readonly path: string;
  readonly depth: number;
}

function compare({ before, after, path, depth }: Compared, changes: FieldChange[]): void {
  if (isSameJson(before, after)) return;
  if (depth >= deepest || !isRecord(before) || !isRecord(after)) {
    changes.push({
      path,
      ...(before === undefined || before === null ? {} : { before }),
      ...(after === undefined || after === null ? {} : { after }),
    });
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (depth === 0 && derived.has(name)) continue;
    const inner = path === '' ? name : `${path}.${name}`;
    compare({ before: before[name], after: after[name], path: inner, depth: depth + 1 }, changes);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
