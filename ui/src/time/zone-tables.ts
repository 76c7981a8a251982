/** The zone tables that the server schedules by, for the screens that compute with time, and the reader of zones that specs bring. */
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
    // The server refuses such bytes; a zone that cannot be read is one that is not known.
    return undefined;
  }
}

bringZones(findZone, readZone);
