/** A zone from the TZif bytes a spec carries itself. */
import type { TableZone } from './zone/table.ts';
import { zoneFromTzif } from './zone/tzif.ts';

/** Undefined when the text is no base64 or the bytes are no TZif. */
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
