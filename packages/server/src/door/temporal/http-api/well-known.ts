/** Timestamps, durations and the other types that have their own forms in proto3 JSON. */

/** Protobuf's range of timestamps, years 1 to 9999, and its longest duration, in seconds. */
const earliest = -62_135_596_800;
const latest = 253_402_300_799;
const longest = 315_576_000_000;

export interface SecondsAndNanos {
  readonly seconds: number;
  readonly nanos: number;
}

/** No digits, or three, six or nine of them. */
function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = Math.abs(nanos).toString().padStart(9, '0');
  return `.${digits.replace(/(?:000){1,2}$/, '')}`;
}

export function writeTimestamp({ seconds, nanos }: SecondsAndNanos): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, -5)}${fraction(nanos)}Z`;
}

export function writeDuration({ seconds, nanos }: SecondsAndNanos): string {
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `${sign}${Math.abs(seconds)}${fraction(nanos)}s`;
}

const timestampPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Undefined when the text is not an RFC 3339 time of protobuf's range. */
export function readTimestampText(text: string): SecondsAndNanos | undefined {
  const [, whole, digits = '', zone] = timestampPattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const seconds = Date.parse(`${whole}${zone}`) / 1000;
  if (Number.isNaN(seconds) || seconds < earliest || seconds > latest) return undefined;
  return { seconds, nanos: Number(digits.padEnd(9, '0')) };
}

const durationPattern = /^([+-]?)(?:(\d{1,12})(?:\.(\d{0,9}))?|\.(\d{1,9}))s$/;

export function readDurationText(text: string): SecondsAndNanos | undefined {
  const [matched, sign, whole = '0', digits, only] = durationPattern.exec(text) ?? [];
  if (matched === undefined) return undefined;
  const factor = sign === '-' ? -1 : 1;
  const seconds = Number(whole);
  if (seconds > longest) return undefined;
  const nanos = Number((digits ?? only ?? '').padEnd(9, '0'));
  // Without the addition a zero would become minus zero.
  return { seconds: factor * seconds + 0, nanos: factor * nanos + 0 };
}
