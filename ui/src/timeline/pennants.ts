/** Changes as pennants; neighbours that would cover each other become one pennant with their number. */
import type { Change } from './model.ts';
import type { Plot } from './view.ts';
import { xOf } from './view.ts';

export interface Pennant {
  readonly x: number;
  /** The time of the first change, which is the position of the pennant. */
  readonly at: number;
  readonly label: string;
  readonly width: number;
  readonly changes: readonly Change[];
}

const letterPx = 5.9;
const padPx = 17;

/** The approximate width of a label; the page measures it with its own font. */
export const aboutWide = (label: string): number => label.length * letterPx;

export function pennantsOf(
  changes: readonly Change[],
  plot: Plot,
  textWidth = aboutWide,
): readonly Pennant[] {
  const widthOf = (label: string) => textWidth(label) + padPx;
  const groups: { x: number; at: number; end: number; changes: Change[] }[] = [];
  const sorted = [...changes].sort((a, b) => a.at - b.at);
  for (const change of sorted) {
    const x = xOf(plot, change.at);
    if (x < -80 || x > plot.width + 80) continue;
    const last = groups.at(-1);
    if (last !== undefined && x < last.end + 3) {
      last.changes.push(change);
      last.end = last.x + widthOf(severalText(last.changes.length));
    } else groups.push({ x, at: change.at, end: x + widthOf(change.label), changes: [change] });
  }
  return groups.map(({ x, at, changes: all }) => {
    const label = all.length === 1 ? (all[0]?.label ?? '') : severalText(all.length);
    return { x, at, label, width: widthOf(label), changes: all };
  });
}

function severalText(count: number): string {
  return `${count} changes`;
}
