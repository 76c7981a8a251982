/** Problems as text for people: what is wrong, a caret under it, and what to write instead. */

import type { InputProblem } from './exit.ts';
import { paintWith } from './paint.ts';

export function problemText(problems: readonly InputProblem[], colored: boolean): string {
  const color = paintWith(colored);
  return problems
    .map((problem) => {
      const where = problem.path === '' ? '' : `${problem.path}: `;
      const lines = [`${color.red('error:')} ${where}${problem.message}`];
      if (problem.source !== undefined) {
        const [from, to] = problem.span ?? [0, 0];
        lines.push(`  ${problem.source}`);
        if (to > from) lines.push(`  ${' '.repeat(from)}${color.red('^'.repeat(to - from))}`);
      }
      if (problem.fix !== undefined) lines.push(`  ${color.cyan('fix')} ${problem.fix}`);
      return `${lines.join('\n')}\n`;
    })
    .join('');
}
