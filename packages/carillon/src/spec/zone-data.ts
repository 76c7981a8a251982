/** A zone from the TZif bytes in a spec. */
import type { TableZone } from './zone/table.ts';
import { zoneFromTzif } from './zone/tzif.ts';

/** Returns undefined when the text is not base64 or the bytes are not TZif. */
export function zoneFromData(name: string, base64: string): TableZone | undefined {
  let binary: string;
  try {
    binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return undefined;
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return zoneFromTzif(name, bytes);
}
