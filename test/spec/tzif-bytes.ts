/** Builds TZif bytes for tests: a zone that follows one POSIX rule, or a list of changes. */
export interface TzifInput {
  readonly initialOffset: number;
  readonly transitions?: readonly (readonly [second: number, offset: number])[];
  readonly footer?: string;
  /** 1 writes 32-bit times and no footer. */
  readonly version?: 1 | 2 | 3 | 4;
}

function block({ initialOffset, transitions = [] }: TzifInput, version: number, timeSize: 4 | 8): Uint8Array {
  const offsets = [...new Set([initialOffset, ...transitions.map(([, offset]) => offset)])];
  const bytes = new Uint8Array(44 + transitions.length * (timeSize + 1) + offsets.length * 6 + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0x54, 0x5a, 0x69, 0x66, version === 1 ? 0 : 48 + version]);
  view.setUint32(32, transitions.length);
  view.setUint32(36, offsets.length);
  view.setUint32(40, 4);
  let at = 44;
  for (const [second] of transitions) {
    if (timeSize === 8) view.setBigInt64(at, BigInt(second));
    else view.setInt32(at, second);
    at += timeSize;
  }
  for (const [, offset] of transitions) view.setUint8(at++, offsets.indexOf(offset));
  for (const offset of offsets) {
    view.setInt32(at, offset);
    at += 6;
  }
  bytes.set([0x58, 0x58, 0x58, 0], at);
  return bytes;
}

export function tzifBytes(input: TzifInput): Uint8Array {
  const version = input.version ?? 2;
  if (version === 1) return block(input, 1, 4);
  const footer = new TextEncoder().encode(`\n${input.footer ?? ''}\n`);
  return Uint8Array.of(
    ...block({ initialOffset: input.initialOffset }, version, 4),
    ...block(input, version, 8),
    ...footer,
  );
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
