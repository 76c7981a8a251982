/**
 * The text form of a zone's history: `offsets;changes;rule`.
 *
 * - offsets: seconds east of UTC in base 36, separated by commas; the first is in force at 1970-01-01.
 * - changes: each is the time since the change before it (the first since 1970) in base 36, counted in quarter
 *   hours, or in seconds after a `!`; then one capital letter, the index of the offset from then on.
 * - rule: the POSIX TZ footer.
 *
 * Nearly every change falls on a quarter hour, so most cost four characters.
 */
import { parsePosixRule } from './posix-rule.ts';
import type { ZoneHistory } from './table.ts';

const quarter = 900;
const letterA = 65;

export function encodeHistory(history: Omit<ZoneHistory, 'rule'>, footer: string): string {
  const offsets = [history.initialOffset];
  let before = 0;
  let changes = '';
  for (const [second, offset] of history.transitions) {
    let index = offsets.indexOf(offset);
    if (index < 0) index = offsets.push(offset) - 1;
    const delta = second - before;
    const time = delta % quarter === 0 ? (delta / quarter).toString(36) : `!${delta.toString(36)}`;
    changes += time + String.fromCharCode(letterA + index);
    before = second;
  }
  return `${offsets.map((offset) => offset.toString(36)).join(',')};${changes};${footer}`;
}

/** Undefined when the text is not in this form. */
export function decodeHistory(text: string): ZoneHistory | undefined {
  const [offsetText, changes, footer] = text.split(';');
  if (offsetText === undefined || changes === undefined || footer === undefined) return undefined;
  const offsets = offsetText.split(',').map((part) => Number.parseInt(part, 36));
  const [initialOffset] = offsets;
  if (initialOffset === undefined || offsets.some(Number.isNaN)) return undefined;
  const transitions: (readonly [number, number])[] = [];
  let at = 0;
  for (const [, exact, digits = '0', letter = 'A'] of changes.matchAll(/(!?)([0-9a-z]+)([A-Z])/g)) {
    at += Number.parseInt(digits, 36) * (exact === '!' ? 1 : quarter);
    const offset = offsets[letter.charCodeAt(0) - letterA];
    if (offset === undefined) return undefined;
    transitions.push([at, offset]);
  }
  return { initialOffset, transitions, rule: footer === '' ? undefined : parsePosixRule(footer) };
}
