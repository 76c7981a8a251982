/** The compiled spec of a stored definition. Definitions are immutable and shared, so their identity is the key. */
import type { CompiledSpec, ScheduleSpec } from '../spec/index.ts';
import { compileSpec, timeZoneVersion } from '../spec/index.ts';
import type { ScheduleDefinition } from './definition.ts';

const compiled = new WeakMap<ScheduleSpec, CompiledSpec>();

export function compiledOf({ spec, seed }: Pick<ScheduleDefinition, 'spec' | 'seed'>): CompiledSpec {
  const known = compiled.get(spec);
  // Newer zone tables may be loaded while the process runs.
  if (known !== undefined && known.timeZoneVersion === timeZoneVersion()) return known;
  const fresh = compileSpec(spec, { seed });
  compiled.set(spec, fresh);
  return fresh;
}
