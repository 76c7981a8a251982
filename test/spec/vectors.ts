/** The known answers of `test/vectors`, read once, and how a Temporal spec in them is compiled. */
import { readFileSync } from 'node:fs';
import { parseInstant } from '../../src/base/time.ts';
import { compileSpec } from '../../src/spec/compile.ts';
import type { CompiledSpec } from '../../src/spec/compiled.ts';
import { canonicalizeTemporalSpec } from '../../src/spec/temporal-canonical.ts';
import { toScheduleSpec } from '../../src/spec/temporal-schedule.ts';
import type { TemporalSpec } from '../../src/spec/temporal-spec.ts';

export function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as T;
}

export function compileTemporal(spec: TemporalSpec): CompiledSpec {
  const canonical = canonicalizeTemporalSpec(spec);
  if (!canonical.ok) throw new Error(canonical.problems[0]?.message);
  const schedule = toScheduleSpec(canonical.value);
  if (!schedule.ok) throw new Error(schedule.problems[0]?.message);
  return compileSpec(schedule.value);
}

export function at(text: string) {
  const found = parseInstant(text);
  if (found === undefined) throw new Error(`bad instant ${text}`);
  return found;
}
