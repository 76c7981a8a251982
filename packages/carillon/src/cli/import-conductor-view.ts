/** The report of `import conductor`, besides the manifest. */
import type { ConductorReport } from './import-conductor.ts';
import { paintWith } from './paint.ts';
import { clean, tableText } from './table.ts';

export function conductorText({ imported, remarks }: ConductorReport, colored: boolean): string {
  const color = paintWith(colored);
  const paint = { error: color.red, warning: color.yellow, info: color.cyan };
  const rows = imported.flatMap(({ id, crons, proof }) =>
    crons.map(({ text, zone = 'UTC' }, index) => [
      index === 0 ? id : '',
      text,
      zone,
      index === 0 ? (proof.difference ?? `equal, ${proof.times} times compared`) : '',
    ]),
  );
  const table = rows.length === 0 ? '' : tableText(['NAME', 'WHEN', 'ZONE', 'PROOF'], rows, colored);
  const told = remarks.map(
    ({ name, level, message }) => `${paint[level](level.padEnd(7))}  ${clean(name)}: ${clean(message)}\n`,
  );
  const times = imported.reduce((sum, { proof }) => sum + proof.times, 0);
  const differing = imported.filter(({ proof }) => proof.difference !== undefined).length;
  const schedules = `${imported.length} ${imported.length === 1 ? 'schedule' : 'schedules'}`;
  const sum =
    differing === 0
      ? color.green(`Proved: ${schedules}, ${times} fire times, equal to an independent reading of the cron.`)
      : color.red(`${differing} of ${schedules} would not run at the same times.`);
  const rest = told.join('');
  return `${table}${rest === '' ? '' : `\n${rest}`}\n${sum}\n`;
}
