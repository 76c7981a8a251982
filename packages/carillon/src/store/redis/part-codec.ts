/** How a cold part is stored in Redis: a field of the execution's hash, named by name and stamp. */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { PartRef, PartRow } from '../records.ts';

export function partField({ name, stamp }: PartRef): string {
  return `${name}\0${stamp}`;
}

export function partValue({ at, data }: PartRow): string {
  return `${at}\0${data}`;
}

export function partOf(ref: PartRef, value: string): PartRow {
  const { incarnation, name, stamp } = ref;
  const end = value.indexOf('\0');
  if (end < 0)
    throw new StoreError('corrupt', `part ${name}@${stamp} of ${incarnation} is not what was written`);
  return { incarnation, name, stamp, data: value.slice(end + 1), at: Number(value.slice(0, end)) as Instant };
}

/** The stamp in a field's name when the field belongs to this part. */
export function stampOf(field: string, name: string): number | undefined {
  return field.startsWith(`${name}\0`) ? Number(field.slice(name.length + 1)) : undefined;
}
