/**
 * How deep what people hand in may nest. Everything that handles it later (checking, copying, writing as JSON) calls itself
 * for each level, and a stack has an end; so this is asked before anything else looks, by a walk that keeps its own list.
 */
import type { Problem } from '../base/error.ts';
import { deepestPayload } from './limits.ts';

/** Of the fields that are kept as they are. */
const payloads = ['input', 'memo', 'attributes', 'http', 'command', 'spec'] as const;

export function depthProblems(given: unknown): readonly Problem[] {
  if (typeof given !== 'object' || given === null) return [];
  const fields = given as Readonly<Record<string, unknown>>;
  return payloads
    .filter((path) => isTooDeep(fields[path]))
    .map((path) => ({
      path,
      reason: 'TOO_DEEP',
      message: `nests deeper than ${deepestPayload} levels`,
      fix: 'flatten it, or hand it over as one text of JSON',
    }));
}

/** Counts lists and objects inside each other; ends on a circle too, because that has no bottom. */
export function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= deepestPayload) return true;
    // What is there twice is looked at once, so that sharing cannot make the walk grow without bound.
    const next = new Set<unknown>();
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const inner of Object.values(each))
        if (typeof inner === 'object' && inner !== null) next.add(inner);
    }
    level = [...next];
  }
  return false;
}
