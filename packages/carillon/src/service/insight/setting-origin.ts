/** Who gave a setting its value. Pure. */
import type { Instant } from '../../base/time.ts';
import type { FieldChange } from './field-diff.ts';

/** A version of the definition that changed something, with who wrote it. */
export interface WrittenVersion {
  readonly stamp: number;
  /** Its number among the stored versions, from 1. */
  readonly number: number;
  readonly at: Instant;
  readonly by: string;
  readonly note: string;
  readonly changes: readonly FieldChange[];
}

/** The last version up to a stamp that changed the field or something in it; the first one when none did. */
export function originOf(
  versions: readonly WrittenVersion[],
  path: string,
  stamp: number,
): WrittenVersion | undefined {
  const known = versions.filter((version) => version.stamp <= stamp);
  const touches = ({ changes }: WrittenVersion) =>
    changes.some((change) => change.path === path || change.path.startsWith(`${path}.`));
  return known.findLast(touches) ?? known[0];
}

/** `version 2, by mara: “once is enough”`. */
export function originText(version: WrittenVersion): string {
  const { number, by, note } = version;
  const who = by === '' ? '' : ` by ${by}`;
  const what = number === 1 ? `as created${who}` : `version ${number}${who}`;
  return note === '' || number === 1 ? what : `${what}: “${note}”`;
}
