/**
 * Reads TZif (RFC 9636, versions 1 to 4): the compiled form of a time zone, as found under /usr/share/zoneinfo
 * and as Temporal clients send it in `timezoneData`. Leap-second records are ignored: leap seconds never match.
 */

import { parsePosixRule } from './posix-rule.ts';
import type { ZoneHistory } from './table.ts';
import { buildTable, createZone, type TableZone } from './table.ts';

const headerLength = 44;

interface Header {
  readonly version: number;
  readonly utCount: number;
  readonly standardCount: number;
  readonly leapCount: number;
  readonly timeCount: number;
  readonly typeCount: number;
  readonly charCount: number;
}

function readHeader(view: DataView, at: number): Header | undefined {
  if (view.byteLength < at + headerLength || view.getUint32(at) !== 0x545a_6966) return undefined;
  const versionByte = view.getUint8(at + 4);
  const count = (index: number) => view.getUint32(at + 20 + index * 4);
  return {
    version: versionByte === 0 ? 1 : versionByte - 48,
    utCount: count(0),
    standardCount: count(1),
    leapCount: count(2),
    timeCount: count(3),
    typeCount: count(4),
    charCount: count(5),
  };
}

function bodyLength(header: Header, timeSize: number): number {
  const { timeCount, typeCount, charCount, leapCount, standardCount, utCount } = header;
  const leaps = leapCount * (timeSize + 4);
  return timeCount * (timeSize + 1) + typeCount * 6 + charCount + leaps + standardCount + utCount;
}

export interface ZoneFile extends ZoneHistory {
  /** The POSIX rule as text; empty when the file has none. */
  readonly footer: string;
}

/** Returns undefined when the bytes are not well-formed TZif. */
export function readZoneFile(bytes: Uint8Array): ZoneFile | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header = readHeader(view, 0);
  if (header === undefined) return undefined;
  let at = headerLength;
  let timeSize = 4;
  if (header.version >= 2) {
    // Version 2 and later repeat everything with 64-bit times after the 32-bit block.
    const second = at + bodyLength(header, 4);
    header = readHeader(view, second);
    if (header === undefined) return undefined;
    at = second + headerLength;
    timeSize = 8;
  }
  const end = at + bodyLength(header, timeSize);
  if (header.typeCount === 0 || end > bytes.length) return undefined;
  const types = at + header.timeCount * (timeSize + 1);
  const offsetOf = (type: number): number => view.getInt32(types + type * 6);
  const transitions: [number, number][] = [];
  for (let i = 0; i < header.timeCount; i++) {
    const place = at + i * timeSize;
    const second = timeSize === 8 ? Number(view.getBigInt64(place)) : view.getInt32(place);
    const type = view.getUint8(at + header.timeCount * timeSize + i);
    if (type >= header.typeCount) return undefined;
    transitions.push([second, offsetOf(type)]);
  }
  let footer = '';
  if (timeSize === 8 && bytes[end] === 10) {
    const close = bytes.indexOf(10, end + 1);
    if (close > end) footer = String.fromCharCode(...bytes.subarray(end + 1, close));
  }
  const rule = footer === '' ? undefined : parsePosixRule(footer);
  return { initialOffset: offsetOf(0), transitions, rule, footer };
}

/** A zone from TZif bytes; undefined when they are malformed. */
export function zoneFromTzif(name: string, bytes: Uint8Array): TableZone | undefined {
  const file = readZoneFile(bytes);
  return file === undefined ? undefined : createZone(name, buildTable(file));
}
