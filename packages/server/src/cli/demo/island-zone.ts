/**
 * A made-up time zone whose clock was set back an hour during the demo day, at two in the morning. Real clocks change twice a
 * year, and a demo should show the change on any day. The bytes are TZif, the form in which a schedule may bring its own zone.
 */
import type { Instant } from 'carillon/internal/base';

export const islandZone = 'Demo/Island';

const hourSeconds = 3600;

/** `at` is a whole hour. Returns the zone as base64. */
export function islandData(at: Instant): string {
  const second = at / 1000;
  const hourOfDay = Math.floor(second / hourSeconds) % 24;
  // The offset under which this hour is two in the morning, between minus twelve and plus twelve hours.
  const before = ((((2 - hourOfDay + 12) % 24) + 24) % 24) - 12;
  return Buffer.from(tzif(second, before * hourSeconds, (before - 1) * hourSeconds)).toString('base64');
}

/** RFC 9636, version 1: one transition between two types. */
function tzif(at: number, before: number, after: number): Uint8Array {
  const header = 44;
  const bytes = new Uint8Array(header + 5 + 12 + 8);
  const view = new DataView(bytes.buffer);
  const name = [0x54, 0x5a, 0x69, 0x66];
  bytes.set(name, 0);
  // Counts of transitions, types and letters of the abbreviations.
  view.setUint32(32, 1);
  view.setUint32(36, 2);
  view.setUint32(40, 8);
  view.setInt32(header, at);
  view.setUint8(header + 4, 1);
  view.setInt32(header + 5, before);
  view.setUint8(header + 9, 1);
  view.setInt32(header + 11, after);
  view.setUint8(header + 16, 4);
  const letters = 'IDT\0IST\0';
  for (let index = 0; index < letters.length; index += 1) {
    bytes[header + 17 + index] = letters.charCodeAt(index);
  }
  return bytes;
}
