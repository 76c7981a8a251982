/** The output of `verify`. */

import type { Finding } from 'carillon/doctor';
import { formatInstant } from 'carillon/internal/base';
import { clean, paintWith, tableText } from 'carillon/internal/cli';
import type { Verified } from './verify.ts';

export interface VerifyView {
  readonly where: string;
  readonly colored: boolean;
}

/** Findings shown per schedule; JSON output has all of them. */
const mostShown = 20;

export function verifyText(results: readonly Verified[], { where, colored }: VerifyView): string {
  const color = paintWith(colored);
  if (results.length === 0) return `No schedules at ${where}.\n`;
  const rows = results.map((each) => [
    each.id,
    each.findings.length === 0 ? 'ok' : `${each.findings.length} FOUND`,
    String(each.slots),
    String(each.rows),
    String(each.runs),
    String(each.versions),
    formatInstant(each.from),
    formatInstant(each.to),
  ]);
  const titles = ['SCHEDULE', 'RESULT', 'SLOTS', 'ROWS', 'RUNS', 'VERSIONS', 'FROM', 'TO'];
  const table = tableText(titles, rows, colored);
  const bad = results.filter(({ findings }) => findings.length > 0);
  const found = bad.map(({ id, findings }) => {
    const lines = findings.slice(0, mostShown).map((finding) => `  ${findingText(finding, colored)}\n`);
    const more = findings.length - mostShown;
    return `\n${color.bold(clean(id))}\n${lines.join('')}${more > 0 ? `  and ${more} more; --json has all\n` : ''}`;
  });
  const notes = results.flatMap(({ id, notes: own }) => own.map((note) => `${clean(id)}: ${clean(note)}\n`));
  const noted = notes.slice(0, mostShown).map((note) => color.dim(note));
  if (notes.length > mostShown)
    noted.push(color.dim(`and ${notes.length - mostShown} more notes; --json has all\n`));
  const slots = results.reduce((sum, each) => sum + each.slots, 0);
  const count = bad.reduce((sum, { findings }) => sum + findings.length, 0);
  const schedules = `${results.length} ${results.length === 1 ? 'schedule' : 'schedules'}`;
  const sum =
    count === 0
      ? color.green(`All ${slots} slots of ${schedules} have exactly one verdict, every start has its run.`)
      : color.red(`${count} ${count === 1 ? 'finding' : 'findings'} in ${bad.length} of ${schedules}.`);
  return `${table}${found.join('')}${noted.length > 0 ? `\n${noted.join('')}` : ''}\n${sum}\n`;
}

function findingText({ kind, cause, nominal, until, text }: Finding, colored: boolean): string {
  const color = paintWith(colored);
  const when =
    nominal === until ? formatInstant(nominal) : `${formatInstant(nominal)} … ${formatInstant(until)}`;
  return `${color.red(kind.padEnd(11))} ${when}${cause === 'auto' ? '' : ` (${clean(cause)})`}: ${clean(text)}`;
}
