/** The backfills that a change of a schedule would end before they have handed over all their slots, in sentences. Pure. */
import { readDocument } from '../../engine/document.ts';
import { Backfill } from '../../scheduler/backfill.ts';
import type { ExecutionRow } from '../../store/records.ts';

const home = 'backfills:';

export function endedBackfills(
  before: Pick<ExecutionRow, 'state'> | undefined,
  written: Pick<ExecutionRow, 'state'> | undefined,
): readonly string[] {
  if (before === undefined || written === undefined) return [];
  const { c: known } = readDocument(before.state);
  const { c: left } = readDocument(written.state);
  return Object.keys(known)
    .filter((path) => path.startsWith(home) && left[path] === undefined)
    .flatMap((path) => {
      const { total, handed } = Backfill.packing.unpack(known[path]?.[0]);
      const id = decodeURIComponent(path.slice(home.length));
      // One that has handed over everything ends by itself.
      return total === handed ? [] : [`The backfill ${id} ends${restText(total, handed)}.`];
    });
}

function restText(total: number | null, handed: number): string {
  if (total === null) return ': its other slots do not run';
  return total - handed === 1 ? ': 1 slot of it does not run' : `: ${total - handed} slots of it do not run`;
}
