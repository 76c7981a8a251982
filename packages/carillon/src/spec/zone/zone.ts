/**
 * Time zones by name, from the tables shipped with this release or loaded since. A zone is decoded when first
 * asked for and then shared.
 */
import { tableVersion, zoneRows } from './data.ts';
import { decodeHistory } from './encoding.ts';
import { fixedOffsetZone } from './fixed-offset.ts';
import { buildTable, createZone, type TableZone } from './table.ts';

/** What `scripts/generate-zones.mjs --json` prints: one row per distinct zone, `names separated by blanks=history`. */
export interface ZoneTables {
  /** The IANA release, such as `2026f`. */
  readonly version: string;
  readonly rows: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly text: string;
}

interface Registry {
  readonly version: string;
  /** Zones by their lower-case name. */
  readonly entries: ReadonlyMap<string, Entry>;
  readonly zones: Map<string, TableZone>;
}

function createRegistry({ version, rows }: ZoneTables): Registry {
  const entries = new Map<string, Entry>();
  for (const row of rows) {
    const split = row.indexOf('=');
    const text = row.slice(split + 1);
    for (const name of row.slice(0, split).split(' ')) entries.set(name.toLowerCase(), { name, text });
  }
  return { version, entries, zones: new Map() };
}

const shipped: ZoneTables = { version: tableVersion, rows: zoneRows.split('\n') };
let registry: Registry | undefined;
let generation = 0;

function current(): Registry {
  registry ??= createRegistry(shipped);
  return registry;
}

/**
 * The zone of an IANA name (any case; `name` has the canonical spelling), or of a fixed offset as Java writes
 * it: `Z`, `+05:30`, `UTC+2`, `GMT-03:00`. Undefined when there is no such zone.
 */
export function findZone(name: string): TableZone | undefined {
  const { entries, zones } = current();
  const known = zones.get(name);
  if (known !== undefined) return known;
  const entry = entries.get(name.toLowerCase());
  if (entry === undefined) return fixedOffsetZone(name);
  let zone = zones.get(entry.name);
  if (zone === undefined) {
    const history = decodeHistory(entry.text);
    if (history === undefined) return undefined;
    zone = createZone(entry.name, buildTable(history));
    zones.set(entry.name, zone);
  }
  return zone;
}

/** Whether this is the name of a zone in its own spelling; offsets and other letter cases are not. */
export function isZoneName(name: string): boolean {
  return current().entries.get(name.toLowerCase())?.name === name;
}

/** All names, links included, in alphabetical order. */
export function zoneNames(): readonly string[] {
  return [...current().entries.values()].map((entry) => entry.name).sort();
}

/** The IANA release of the tables in use. */
export function timeZoneVersion(): string {
  return current().version;
}

/**
 * Replaces the tables in use by newer ones, without an upgrade of the package. `tables` is the parsed output of
 * `node scripts/generate-zones.mjs --json`. Nothing changes when a row is malformed: a `RangeError` names it.
 * Specs compiled before keep their old zones; compile again to use the new ones.
 */
export function loadZones(tables: ZoneTables): void {
  for (const row of tables.rows) {
    const split = row.indexOf('=');
    if (split < 1 || decodeHistory(row.slice(split + 1)) === undefined) {
      throw new RangeError(
        `zone tables ${tables.version}: cannot read the row of ${row.slice(0, Math.max(split, 20))}`,
      );
    }
  }
  registry = createRegistry(tables);
  generation++;
}

/** Grows with each `loadZones`: part of the key of everything computed from zones. */
export function zoneGeneration(): number {
  return generation;
}
