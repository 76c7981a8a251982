/**
 * The written form of cold components that keep their history. An old stamp outlives the row that knew its version, so
 * it carries its version itself; version 1 is written bare.
 */
import type { AnyComponent, State } from './component.ts';

interface Versioned {
  readonly '@version': number;
  readonly state: unknown;
}

function isVersioned(written: unknown): written is Versioned {
  return typeof written === 'object' && written !== null && '@version' in written;
}

/** The text that is written for a packed state. */
export function historyForm(component: AnyComponent, packed: unknown): unknown {
  if (!component.keepHistory || component.version === 1) return packed;
  return { '@version': component.version, state: packed } satisfies Versioned;
}

/** The packed state in a written text. */
export function packedIn(written: unknown): unknown {
  return isVersioned(written) ? written.state : written;
}

/** Any stored stamp of a component that keeps its history, as today's state. */
export function readStamp<C extends AnyComponent>(component: C, data: string): State<C> {
  const written: unknown = JSON.parse(data);
  const version = isVersioned(written) ? written['@version'] : 1;
  const packed = packedIn(written);
  return version === component.version
    ? component.packing.unpack(packed)
    : component.upgrade(packed, version);
}
