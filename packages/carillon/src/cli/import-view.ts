/** The report of `import`, besides the manifest. */

import type { ImportReport } from './import.ts';
import { paintWith } from './paint.ts';
import { clean, tableText } from './table.ts';

export function importText({ imported, remarks, findings, zone }: ImportReport, colored: boolean): string {
  const color = paintWith(colored);
  const paint = { error: color.red, warning: color.yellow, info: color.cyan };
  const rows = imported.map(({ line, id, schedule, input, proof }) => [
    String(line),
    schedule,
    input.zone ?? zone,
    id,
    proof.difference ?? `equal, ${proof.times} times compared`,
  ]);
  const table = rows.length === 0 ? '' : tableText(['LINE', 'WHEN', 'ZONE', 'ID', 'PROOF'], rows, colored);
  const told = remarks.map(
    ({ line, level, message }) => `${paint[level](level.padEnd(7))}  line ${line}: ${clean(message)}\n`,
  );
  const linted = findings.map(
    ({ severity, code, subject, location, message }) =>
      `${paint[severity](severity.padEnd(7))}  ${location === undefined ? '' : `line ${location.line}: `}${clean(subject)}: ${code}: ${clean(message)}\n`,
  );
  const times = imported.reduce((sum, { proof }) => sum + proof.times, 0);
  const differing = imported.filter(({ proof }) => proof.difference !== undefined).length;
  const lines = `${imported.length} ${imported.length === 1 ? 'line' : 'lines'}`;
  const sum =
    differing === 0
      ? color.green(`Proved: ${lines}, ${times} fire times, equal to an independent reading of cron.`)
      : color.red(`${differing} of ${lines} would not run at the same times.`);
  const rest = [...told, ...linted].join('');
  return `${table}${rest === '' ? '' : `\n${rest}`}\n${sum}\n`;
}
