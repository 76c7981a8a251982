/**
 * What a change of the clock did to a time: the wall-clock time that the spec names, and the instant that it became. A
 * time that the clock skips runs later under another name, and a time that comes twice is two instants. Pure.
 */
import type { Instant } from '../base/time.ts';
import { day, formatInstant, hour } from '../base/time.ts';
import { clockZones } from '../spec/dst-report.ts';
import type { Budget, ScheduleSpec, Zone } from '../spec/index.ts';
import { compiledOf } from './compiled-of.ts';
import type { ScheduleDefinition } from './definition.ts';
import { variantsOf } from './spec-variants.ts';

export interface ClockEffect {
  readonly zone: string;
  /** When the clock changes, and by how many ms; negative when it is set back. */
  readonly changedAt: Instant;
  readonly byMs: number;
  /** The wall-clock time that the spec names, for example `02:30`. */
  readonly named: string;
  /** The wall-clock time of the instant itself; the same as `named` in an hour that comes twice. */
  readonly here: string;
  /** In an hour that comes twice: the other instant of the same name. */
  readonly other: Instant | null;
  /** The rule that decides, as it is written: `dst.gap: shift`. */
  readonly rule: string;
}

type Clocked = Pick<ScheduleDefinition, 'spec' | 'seed'>;

/** Undefined when no change of the clock touches the instant. */
export function clockEffect(definition: Clocked, at: Instant, budget: Budget): ClockEffect | undefined {
  const { spec } = definition;
  for (const zone of clockZones(spec)) {
    const change = changeNear(zone, at);
    if (change === undefined) continue;
    const effect = change.byMs > 0 ? moved(definition, change, at, budget) : repeated(spec, change, at);
    // Without the rule, the spec names the time only where the clock is the reason.
    if (effect !== undefined && isTouched(definition, effect, at, budget)) return effect;
  }
  return undefined;
}

interface Change {
  readonly zone: Zone;
  readonly at: number;
  readonly byMs: number;
}

/** The change whose gap or fold the instant lies in or ends. */
function changeNear(zone: Zone, at: Instant): Change | undefined {
  let change = zone.nextTransition(Math.floor((at - farthest) / 1000));
  for (; change * 1000 <= at + farthest; change = zone.nextTransition(change)) {
    const byMs = (zone.offsetAt(change) - zone.offsetAt(change - 1)) * 1000;
    if (byMs !== 0 && Math.abs(at - change * 1000) <= Math.abs(byMs))
      return { zone, at: change * 1000, byMs };
  }
  return undefined;
}

/** Clocks have been set by a whole day, at the date line. */
const farthest = day + hour;

/** In a gap: the clock showed the named time under the offset before the change. */
function moved(
  definition: Clocked,
  { zone, at: changedAt, byMs }: Change,
  at: Instant,
  budget: Budget,
): ClockEffect | undefined {
  if (at < changedAt || at >= changedAt + byMs) return undefined;
  const { gap = 'shift' } = definition.spec.dst ?? {};
  // Under `gapEnd` all times of the gap meet at its end; the first of them gives the name.
  const window = { from: (changedAt - 1) as Instant, to: (changedAt + byMs - 1) as Instant };
  const spec = variantsOf(definition.spec).shifted;
  const first = () => compiledOf({ ...definition, spec }).between(window, 1, { budget }).times[0]?.nominal;
  const source = gap === 'gapEnd' ? (first() ?? at) : at;
  return {
    zone: zone.name,
    changedAt: changedAt as Instant,
    byMs,
    named: wallText(source + offsetMs(zone, changedAt - 1000)),
    here: wallText(at + offsetMs(zone, at)),
    other: null,
    rule: `dst.gap: ${gap}`,
  };
}

function repeated(
  spec: ScheduleSpec,
  { zone, at: changedAt, byMs }: Change,
  at: Instant,
): ClockEffect | undefined {
  const isSecond = at >= changedAt;
  if (isSecond ? at >= changedAt - byMs : at < changedAt + byMs) return undefined;
  const here = wallText(at + offsetMs(zone, at));
  const { fold = 'first' } = spec.dst ?? {};
  return {
    zone: zone.name,
    changedAt: changedAt as Instant,
    byMs,
    named: here,
    here,
    other: (isSecond ? at + byMs : at - byMs) as Instant,
    rule: `dst.fold: ${fold}`,
  };
}

function isTouched(definition: Clocked, { other }: ClockEffect, at: Instant, budget: Budget): boolean {
  const { bothCopies, shifted, unshifted } = variantsOf(definition.spec);
  const matches = (spec: ScheduleSpec, when: Instant) =>
    compiledOf({ ...definition, spec }).matches(when, budget);
  if (other !== null) return matches(bothCopies, at) && matches(bothCopies, other);
  return !matches(unshifted, at) && (matches(shifted, at) || matches(definition.spec, at));
}

function offsetMs(zone: Zone, at: number): number {
  return zone.offsetAt(Math.floor(at / 1000)) * 1000;
}

function wallText(local: number): string {
  const clock = formatInstant((((local % day) + day) % day) as Instant).slice('1970-01-01T'.length);
  return clock.endsWith(':00Z') ? clock.slice(0, 'hh:mm'.length) : clock.slice(0, 'hh:mm:ss'.length);
}
