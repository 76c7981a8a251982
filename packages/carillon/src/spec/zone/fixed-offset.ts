/** Zones that are only an offset, as `java.time.ZoneId` accepts them (Conductor stores such names). */
import { createZone, type TableZone } from './table.ts';

const grammar = /^(UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/i;
const farthest = 18 * 3600;

function zoneOf(name: string, offset: number): TableZone {
  const starts = Float64Array.of(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  return createZone(name, { starts, offsets: Int32Array.of(offset) });
}

/** Two zones of the same name are interchangeable; sharing them also shares the windows computed for them. */
const shared = new Map<string, TableZone>();

/** Undefined for anything but an offset of at most 18 hours. `name` is normalised: `+5` becomes `+05:00`. */
export function fixedOffsetZone(text: string): TableZone | undefined {
  const plain = /^(Z|UT)$/i.test(text);
  const match = plain ? undefined : grammar.exec(text);
  if (match === null) return undefined;
  const [, prefix = '', sign = '+', hours = '0', minutes = '0', seconds = '0'] = match ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  if (Number(minutes) > 59 || Number(seconds) > 59 || size > farthest) return undefined;
  const tail = Number(seconds) === 0 ? '' : `:${seconds}`;
  const offsetName = `${prefix.toUpperCase()}${sign}${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}${tail}`;
  const name = size === 0 ? 'UTC' : offsetName;
  let zone = shared.get(name);
  if (zone === undefined) {
    zone = zoneOf(name, sign === '-' ? -size || 0 : size);
    shared.set(name, zone);
  }
  return zone;
}
