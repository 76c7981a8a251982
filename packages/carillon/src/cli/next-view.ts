/** The output of `next`, as functions from data to text. */

import { formatInstant, type Instant } from '../base/time.ts';
import type { ScheduleSpec } from '../spec/index.ts';
import type { Row } from './next-rows.ts';
import { paintWith } from './paint.ts';

export interface NextResult {
  readonly description: string;
  readonly spec: ScheduleSpec;
  readonly zone: string;
  readonly timeZoneVersion: string;
  readonly after: Instant;
  readonly now: Instant;
  readonly rows: readonly Row[];
  /** The search was given up here: the spec is too hard to search. */
  readonly gaveUpAt?: Instant;
}

export function nextText(result: NextResult, colored: boolean): string {
  const color = paintWith(colored);
  const { rows, now, gaveUpAt } = result;
  const head = `${color.bold(result.description)}\n`;
  const rest = gaveUpAt === undefined ? '' : `${gaveUpText(gaveUpAt)}\n`;
  if (rows.length === 0)
    return `${head}\n${gaveUpAt === undefined ? `No time after ${formatInstant(result.after)}.\n` : rest}`;
  const jittered = rows.some((row) => row.actual !== row.nominal);
  const table = rows.map((row) => [
    `${row.weekday} ${row.local.slice(0, 10)} ${row.local.slice(11)}`,
    formatInstant(row.nominal),
    ...(jittered ? [formatInstant(row.actual)] : []),
    distanceText(row.actual - now),
    row.note === undefined ? '' : `* ${row.note}`,
  ]);
  const titles = [result.zone, 'UTC', ...(jittered ? ['with jitter'] : []), 'from now', ''];
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...table.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const body = table.map((cells, index) =>
    rows[index]?.note === undefined ? line(cells) : color.yellow(line(cells)),
  );
  return `${head}\n${[color.dim(line(titles)), ...body].join('\n')}\n${rest}`;
}

function gaveUpText(at: Instant): string {
  return `The search was given up at ${formatInstant(at)}: the spec names times too rarely, or its exclusions leave almost nothing of it. A server would refuse it.`;
}

export function nextJson(result: NextResult): string {
  const { now: _, after, rows, gaveUpAt, ...others } = result;
  const rest = { ...others, ...(gaveUpAt === undefined ? {} : { gaveUpAt: formatInstant(gaveUpAt) }) };
  const times = rows.map(({ nominal, actual, ...row }) => ({
    nominal: formatInstant(nominal),
    actual: formatInstant(actual),
    ...row,
  }));
  return `${JSON.stringify({ ...rest, after: formatInstant(after), times }, undefined, 2)}\n`;
}

/** `in 3 h 12 min`, `2 d 1 h ago`: the two largest units. */
export function distanceText(milliseconds: number): string {
  let rest = Math.floor(Math.abs(milliseconds) / 1000);
  if (rest === 0) return 'now';
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
    [1, 's'],
  ];
  const first = units.findIndex(([size]) => rest >= size);
  const parts: string[] = [];
  for (const [size, unit] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return milliseconds < 0 ? `${parts.join(' ')} ago` : `in ${parts.join(' ')}`;
}
