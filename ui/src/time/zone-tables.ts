/** The zone tables with which the server schedules, for screens that compute with time, and the reader of zone data in specs. */
import { findZone, zoneFromTzif } from 'carillon/spec';
import { bringZones } from './zone.ts';

function readZone(name: string, base64: string) {
  try {
    const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
    return zoneFromTzif(
      name,
      Uint8Array.from(binary, (character) => character.charCodeAt(0)),
    );
  } catch {
    // The server refuses such bytes. Here an unreadable zone counts as unknown.
    return undefined;
  }
}

bringZones(findZone, readZone);
