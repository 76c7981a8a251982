/** A spec without some of its parts, to find the part that decides about a time. */
import type { ScheduleSpec } from '../spec/index.ts';

/** A spec with parts taken out. */
export interface SpecVariants {
  readonly unbounded: ScheduleSpec;
  /** The spec without bounds and exclusions; those below have none either. */
  readonly unexcluded: ScheduleSpec;
  readonly bothCopies: ScheduleSpec;
  readonly shifted: ScheduleSpec;
  /** Without the times that a clock skips. */
  readonly unshifted: ScheduleSpec;
  /** Every time that the sources name, before the rules for clock changes are applied. */
  readonly every: ScheduleSpec;
}

const variants = new WeakMap<ScheduleSpec, SpecVariants>();

/** The same objects for the same spec, so that each is compiled once. */
export function variantsOf(spec: ScheduleSpec): SpecVariants {
  const known = variants.get(spec);
  if (known !== undefined) return known;
  const { startAt: _, endAt: __, ...unbounded } = spec;
  const { exclude: ___, ...unexcluded } = unbounded;
  const found = {
    unbounded,
    unexcluded,
    bothCopies: { ...unexcluded, dst: { ...spec.dst, fold: 'both' } },
    shifted: { ...unexcluded, dst: { ...spec.dst, gap: 'shift' } },
    unshifted: { ...unexcluded, dst: { ...spec.dst, gap: 'skip' } },
    every: { ...unexcluded, dst: { gap: 'shift', fold: 'both' } },
  } satisfies SpecVariants;
  variants.set(spec, found);
  return found;
}
