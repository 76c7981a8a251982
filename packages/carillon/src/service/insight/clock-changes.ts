/** The coming clock changes of all zones that the schedules of a namespace use, and what each schedule does then. */
import type { Instant } from '../../base/time.ts';
import type { DstEffect, DstRow } from '../../spec/dst-report.ts';
import { clockZones, dstReport } from '../../spec/dst-report.ts';
import type { DstPolicy, Zone } from '../../spec/index.ts';
import { SlicedWork } from '../spec-search.ts';
import { timeJson } from '../wire.ts';
import type { FleetSpecs, SpecGroup } from './fleet-specs.ts';
import type { Span } from './history-material.ts';

export interface TouchedSchedule {
  readonly id: string;
  readonly effect: DstEffect;
  /** The affected wall-clock time, or the first of several. */
  readonly local: string;
  readonly count: number;
  /** When it runs instead. */
  readonly runsAt: readonly string[];
  readonly runsAtLocal: readonly string[];
  /** The rule that says so, for example `gap: shift`. */
  readonly rule: string;
}

export interface ClockChange {
  readonly at: string;
  readonly zone: string;
  /** The minutes by which the clock changes; negative when it is set back. */
  readonly byMinutes: number;
  /** The schedules that read this zone's clock. */
  readonly schedules: number;
  /** The schedules that the change touches, by id; at most 200 are named. */
  readonly touched: readonly TouchedSchedule[];
  readonly touchedCount: number;
  /** The number of schedules by effect; a schedule may count several times. */
  readonly effects: Readonly<Partial<Record<DstEffect, number>>>;
}

export interface ClockChanges {
  readonly from: string;
  readonly to: string;
  readonly items: readonly ClockChange[];
  readonly schedules: number;
  /** Whether some schedules were left out because there are too many. */
  readonly truncated: boolean;
}

const mostNamed = 200;
/** Reports between two turns of the event loop: about five milliseconds. */
const reportsPerTurn = 20;
/** Different specs that are reported about in one answer. */
const mostReports = 5000;

interface Found {
  readonly zone: Zone;
  readonly at: number;
  schedules: number;
  readonly touched: TouchedSchedule[];
  touchedCount: number;
  readonly effects: Partial<Record<DstEffect, number>>;
}

export async function readClockChanges(fleet: FleetSpecs, { from, to }: Span): Promise<ClockChanges> {
  const changes = new Map<string, Found>();
  const work = new SlicedWork();
  for (const [index, group] of fleet.groups.slice(0, mostReports).entries()) {
    if (index % reportsPerTurn === reportsPerTurn - 1) await work.yield();
    const zones = clockZones(group.definition.spec);
    if (zones.length === 0) continue;
    const rows = dstReport(group.definition.spec, { from, to, seed: group.definition.seed });
    for (const zone of zones) noteZone(changes, zone, { from, to }, group, rows);
  }
  const items = [...changes.values()]
    .sort((a, b) => a.at - b.at || (a.zone.name < b.zone.name ? -1 : 1))
    .map(({ zone, at, touched, ...rest }) => ({
      ...rest,
      at: timeJson((at * 1000) as Instant),
      zone: zone.name,
      byMinutes: (zone.offsetAt(at) - zone.offsetAt(at - 1)) / 60,
      touched: touched.sort((a, b) => (a.id < b.id ? -1 : 1)),
    }));
  return {
    from: timeJson(from),
    to: timeJson(to),
    items,
    schedules: fleet.schedules,
    truncated: fleet.truncated || fleet.groups.length > mostReports,
  };
}

function noteZone(
  changes: Map<string, Found>,
  zone: Zone,
  { from, to }: Span,
  { definition, ids }: SpecGroup,
  rows: readonly DstRow[],
): void {
  for (let at = zone.nextTransition(Math.floor(from / 1000)); at <= to / 1000; at = zone.nextTransition(at)) {
    if (zone.offsetAt(at) === zone.offsetAt(at - 1)) continue;
    const key = `${zone.name} ${at}`;
    const found = changes.get(key) ?? { zone, at, schedules: 0, touched: [], touchedCount: 0, effects: {} };
    changes.set(key, found);
    found.schedules += ids.length;
    const own = rows.filter((row) => row.zone === zone.name && row.at === at * 1000);
    if (own.length === 0) continue;
    found.touchedCount += ids.length;
    for (const effect of new Set(own.map((row) => row.effect)))
      found.effects[effect] = (found.effects[effect] ?? 0) + ids.length;
    for (const id of ids.slice(0, mostNamed)) {
      if (found.touched.length >= mostNamed) break;
      for (const row of own) found.touched.push(touchedBy(id, row, definition.spec.dst ?? {}));
    }
  }
}

function touchedBy(
  id: string,
  { effect, local, count, runsAt, runsAtLocal, byMinutes }: DstRow,
  // Times of every hour come both times unless the spec says otherwise.
  { gap = 'shift', fold = effect === 'doubled' ? 'both' : 'first' }: DstPolicy,
): TouchedSchedule {
  const rule = byMinutes > 0 ? `gap: ${gap}` : `fold: ${fold}`;
  return { id, effect, local, count, runsAt: runsAt.map((at) => timeJson(at)), runsAtLocal, rule };
}
