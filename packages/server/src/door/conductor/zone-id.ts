/** Zones as `java.time.ZoneId` names them: IANA names in their own spelling, or an offset. */
import { findZone } from 'carillon/spec';

/** Names of the tables that Java does not know as zones. */
const notJava = new Set(['EST', 'MST', 'HST', 'ROC', 'Factory']);

/** Whether the text names a zone. Names of other case are refused: a client that compares zones would see two. */
export function isZoneId(text: string): boolean {
  const zone = findZone(text);
  if (zone === undefined || notJava.has(text)) return false;
  return zone.name === text || /^(?:Z|UT|(?:UTC|GMT|UT)?[+-](?:\d|\d\d.*))$/.test(text);
}
