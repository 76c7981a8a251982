/** The output of `why`: the answer first, then what the decision was based on. */

import type { ExplanationJson } from 'carillon/client';
import type { Instant } from 'carillon/internal/base';
import { clean, paintWith, whenText } from 'carillon/internal/cli';

export function whyText(
  id: string,
  items: readonly ExplanationJson[],
  now: Instant,
  colored: boolean,
): string {
  if (items.length === 0) return `${clean(id)} has no slot behind it yet.\n`;
  const color = paintWith(colored);
  const paint = (answer: string) =>
    answer.startsWith('started')
      ? color.green(answer)
      : answer === 'startFailed'
        ? color.red(answer)
        : color.yellow(answer);
  return items
    .map((item) => {
      const { run } = item;
      const lines = [
        `${color.bold(whenText(item.at, now))}  ${paint(item.answer)}${item.cause === 'auto' ? '' : color.dim(` ${clean(item.cause)}`)}`,
        `  ${clean(item.text)}`,
        ...(run?.failure == null ? [] : [`  ${color.red('error')} ${clean(run.failure.message)}`]),
        ...(item.previous === null && item.next === null
          ? []
          : [
              color.dim(`  slots beside it: ${item.previous ?? 'none before'}, ${item.next ?? 'none after'}`),
            ]),
      ];
      return `${lines.join('\n')}\n`;
    })
    .join('\n');
}
