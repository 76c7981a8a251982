/** A fleet as it would be if the schedules that start together at one moment had a jitter. Nothing is written. */
import type { Instant } from '../../base/time.ts';
import { addTime, second } from '../../base/time.ts';
import type { SlicedWork } from '../spec-search.ts';
import { mostDelays, visitStarts } from './due-starts.ts';
import type { FleetSpecs, SpecGroup } from './fleet-specs.ts';

export interface Spread {
  /** A moment at which several schedules start. */
  readonly at: Instant;
  /** The jitter that they would have. */
  readonly jitterMs: number;
}

export interface SpreadFleet {
  readonly fleet: FleetSpecs;
  /** The schedules that would have the jitter, at most 1000 of them. */
  readonly ids: readonly string[];
}

const mostSpread = 1000;

/** Those that have a jitter already are left as they are. */
export async function spreadFleet(
  fleet: FleetSpecs,
  { at, jitterMs }: Spread,
  work: SlicedWork,
): Promise<SpreadFleet> {
  const from = (Math.floor(at / second) * second) as Instant;
  const span = { from, to: addTime(from, second - 1) };
  const ids: string[] = [];
  const groups: SpecGroup[] = [];
  for (const group of fleet.groups) {
    const room = mostSpread - ids.length;
    let isDue = false;
    if ((group.definition.spec.jitterMs ?? 0) === 0 && room > 0)
      await visitStarts(group, span, { work, delays: { left: mostDelays } }, () => {
        isDue = true;
      });
    if (!isDue) {
      groups.push(group);
      continue;
    }
    ids.push(...group.ids.slice(0, room));
    const { definition } = group;
    const spread = { ...definition, spec: { ...definition.spec, jitterMs } };
    groups.push({ ...part(group, 0, room), key: `${group.key} spread`, definition: spread });
    if (group.ids.length > room) groups.push(part(group, room));
  }
  return { fleet: { ...fleet, groups }, ids };
}

function part(group: SpecGroup, from: number, to?: number): SpecGroup {
  const { ids, createdAt, seeds } = group;
  return {
    ...group,
    ids: ids.slice(from, to),
    createdAt: createdAt.slice(from, to),
    seeds: seeds.slice(from, to),
  };
}
