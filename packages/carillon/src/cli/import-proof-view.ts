/** The report of an import from a server: a table with proofs, remarks, and the sum. */
import { paintWith } from './paint.ts';
import { clean, tableText } from './table.ts';

export interface ProvedImport {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly remarks: readonly {
    readonly name: string;
    readonly level: 'error' | 'warning' | 'info';
    readonly message: string;
  }[];
  readonly proofs: readonly { readonly times: number; readonly difference?: string }[];
  /** What the times were compared with, in words. */
  readonly by: string;
}

export function proofText({ head, rows, remarks, proofs, by }: ProvedImport, colored: boolean): string {
  const color = paintWith(colored);
  const paint = { error: color.red, warning: color.yellow, info: color.cyan };
  const table =
    rows.length === 0
      ? ''
      : tableText(
          [...head],
          rows.map((row) => [...row]),
          colored,
        );
  const told = remarks.map(
    ({ name, level, message }) => `${paint[level](level.padEnd(7))}  ${clean(name)}: ${clean(message)}\n`,
  );
  const times = proofs.reduce((sum, proof) => sum + proof.times, 0);
  const differing = proofs.filter(({ difference }) => difference !== undefined).length;
  const schedules = `${proofs.length} ${proofs.length === 1 ? 'schedule' : 'schedules'}`;
  const sum =
    differing === 0
      ? color.green(`Proved: ${schedules}, ${times} fire times, equal to ${by}.`)
      : color.red(`${differing} of ${schedules} would not run at the same times.`);
  const rest = told.join('');
  return `${table}${rest === '' ? '' : `\n${rest}`}\n${sum}\n`;
}

export function proofCell({ times, difference }: ProvedImport['proofs'][number]): string {
  return difference ?? `equal, ${times} times compared`;
}
