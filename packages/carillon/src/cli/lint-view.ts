/** The output of `lint`. */

import type { LintFinding, Severity } from '../doctor/index.ts';
import { paintWith } from './paint.ts';
import { clean, tableText } from './table.ts';

export interface LintView {
  readonly total: number;
  readonly counts: Readonly<Record<Severity, number>>;
  readonly colored: boolean;
}

export function lintText(findings: readonly LintFinding[], { total, counts, colored }: LintView): string {
  const color = paintWith(colored);
  const paint = { error: color.red, warning: color.yellow, info: color.cyan };
  const groups = new Map<string, LintFinding[]>();
  for (const finding of findings) {
    const key = headOf(finding);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const width = Math.max(0, ...findings.map(({ code }) => code.length));
  const parts = [...groups].map(([head, group]) => {
    const lines = group.map(({ severity, code, message, fix }) => {
      const mark = paint[severity](severity.padEnd(7));
      const help = fix === undefined ? '' : `\n${' '.repeat(width + 13)}${color.dim(`→ ${clean(fix)}`)}`;
      return `  ${mark}  ${code.padEnd(width)}  ${clean(message)}${help}`;
    });
    return `${color.bold(clean(head))}\n${lines.join('\n')}\n`;
  });
  const looked = `${total} ${total === 1 ? 'schedule' : 'schedules'}`;
  const said = (['error', 'warning', 'info'] as const)
    .filter((each) => counts[each] > 0)
    .map((each) => paint[each](countText(counts[each], each)));
  const sum =
    said.length === 0 ? color.green(`Nothing found in ${looked}.`) : `${said.join(', ')} in ${looked}.`;
  return `${parts.join('\n')}${parts.length > 0 ? '\n' : ''}${sum}\n`;
}

function headOf({ subject, location }: LintFinding): string {
  return location === undefined ? subject : `${location.file}:${location.line}  ${subject}`;
}

function countText(count: number, severity: Severity): string {
  if (severity === 'info') return `${count} ${count === 1 ? 'hint' : 'hints'}`;
  return `${count} ${severity}${count === 1 ? '' : 's'}`;
}

export function rulesText(
  rules: Readonly<Record<string, readonly [Severity, string]>>,
  colored: boolean,
): string {
  const rows = Object.entries(rules).map(([code, [severity, text]]) => [code, severity, text]);
  return tableText(['CODE', 'WEIGHT', 'WHAT'], rows, colored);
}
