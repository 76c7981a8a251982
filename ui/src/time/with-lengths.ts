import { lengthText } from './text.ts';
import { dayMs, hourMs, minuteMs, secondMs } from './zone.ts';

/** `53m`, `1h23m`, `1d1h`, `600000 ms`, not inside a name. */
const length = /(?<![\w:.-])(?:\d+ ms|(?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+)(?![\w-])/g;
const units: Readonly<Record<string, number>> = { ms: 1, s: secondMs, m: minuteMs, h: hourMs, d: dayMs };

/** Lengths inside a sentence as the page writes them: `1 h 23 min`. */
export function withLengths(text: string): string {
  return text.replace(length, (found) => {
    let ms = 0;
    for (const [, count, unit] of found.matchAll(/(\d+(?:\.\d+)?) ?(ms|d|h|m|s)/g))
      ms += Number(count) * (units[unit ?? ''] ?? 0);
    return lengthText(ms);
  });
}
