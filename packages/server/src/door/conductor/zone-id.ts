/** Zones as `java.time.ZoneId` names them: IANA names in their own spelling, or an offset. */
import { findZone } from 'carillon/spec';

/** Names of the zone database that Java does not accept as zones. */
const notJava = new Set(['EST', 'MST', 'HST', 'ROC', 'Factory']);

/** Whether the text names a zone. Names in another case are refused, because a client that compares names would see two zones. */
export function isZoneId(text: string): boolean {
  const zone = findZone(text);
  if (zone === undefined || notJava.has(text)) return false;
  return zone.name === text || /^(?:Z|UT|(?:UTC|GMT|UT)?[+-](?:\d|\d\d.*))$/.test(text);
}
