/** The known answers of `test/vectors`, read once, and how a Temporal spec in them is compiled. */
import { readFileSync } from 'node:fs';
import { parseInstant } from '../../packages/carillon/src/base/time.ts';
import { compileSpec } from '../../packages/carillon/src/spec/compile.ts';
import type { CompiledSpec } from '../../packages/carillon/src/spec/compiled.ts';
import { canonicalizeTemporalSpec } from '../../packages/carillon/src/spec/temporal-canonical.ts';
import { toScheduleSpec } from '../../packages/carillon/src/spec/temporal-schedule.ts';
import type { TemporalSpec } from '../../packages/carillon/src/spec/temporal-spec.ts';

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
