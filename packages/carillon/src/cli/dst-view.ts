/** The output of `dst`. */

import { formatInstant } from '../base/time.ts';
import type { DstRow } from '../doctor/index.ts';
import type { DstSchedule } from './dst.ts';
import { paintWith } from './paint.ts';
import { tableText } from './table.ts';

export interface DstView {
  readonly unaffected: number;
  readonly years: number;
  /** Schedules whose times are too hard to find. */
  readonly unsearchable: readonly string[];
  readonly colored: boolean;
}

export function dstText(
  affected: readonly DstSchedule[],
  { unaffected, years, unsearchable, colored }: DstView,
): string {
  const color = paintWith(colored);
  const ahead = years === 1 ? 'in the coming year' : `in the coming ${years} years`;
  const untouched =
    unaffected === 0
      ? ''
      : `${unaffected} ${unaffected === 1 ? 'schedule is' : 'schedules are'} not touched by any clock change ${ahead}.\n`;
  const unknown =
    unsearchable.length === 0 ? '' : `Too hard to search, and not examined: ${unsearchable.join(', ')}.\n`;
  const rest = `${untouched}${unknown}`;
  if (affected.length === 0) {
    return rest === '' ? 'No schedules.\n' : rest;
  }
  const rows = affected.flatMap(({ id, rows: found }) =>
    found.map((row) => [
      id,
      formatInstant(row.at),
      row.zone,
      `${row.clock.before} → ${row.clock.after}`,
      row.count === 1 ? row.local : `${row.local}…${row.lastLocal.slice(11)} (${row.count})`,
      sentence(row),
    ]),
  );
  const table = tableText(
    ['SCHEDULE', 'CLOCK CHANGES', 'ZONE', 'FROM → TO', 'TIME CONCERNED', 'WHAT HAPPENS'],
    rows,
    colored,
  );
  const losses = affected.flatMap(({ rows: found }) =>
    found.filter(({ effect }) => effect === 'skipped'),
  ).length;
  const doubles = affected.flatMap(({ rows: found }) =>
    found.filter(({ effect }) => effect === 'doubled'),
  ).length;
  const told = [
    ...(losses === 0 ? [] : [color.red(`${losses} times something does not run`)]),
    ...(doubles === 0 ? [] : [color.yellow(`${doubles} times something runs twice`)]),
  ];
  return `${table}\n${told.length === 0 ? '' : `${told.join(', ')}.\n`}${rest}`;
}

function sentence({ effect, count, runsAtLocal, runsAt }: DstRow): string {
  const [first = '', second = ''] = runsAtLocal.map((local) => local.slice(11));
  const [at, later] = runsAt;
  const utc = at === undefined ? '' : ` (${formatInstant(at)})`;
  const begin = count === 1 ? '' : 'from ';
  switch (effect) {
    case 'skipped':
      return 'does not run: the clock jumps over it';
    case 'shifted':
      return `runs ${begin === '' ? 'at' : 'from'} ${first} instead${utc}`;
    case 'merged':
      return `one run instead of two, at ${first}${utc}`;
    case 'doubled':
      return `runs twice: ${begin}${first}${utc} and ${begin}${second}${later === undefined ? '' : ` (${formatInstant(later)})`}`;
    case 'first':
      return `comes twice, runs the first time${utc}`;
    case 'second':
      return `comes twice, runs the second time${utc}`;
    default:
      return effect satisfies never;
  }
}
