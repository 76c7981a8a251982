/** Finds the field of a cron text that a message refers to. */
import type { Dialect } from './model.ts';

const withSeconds = ['second', 'minute', 'hour', 'dayofmonth', 'month', 'dayofweek', 'year'];
const withoutSeconds = withSeconds.slice(1);

/**
 * The place of the field that the message of a refused cron text refers to, to put a caret under it: its first character and
 * the one behind its last. Undefined when the message is about the whole text.
 *
 * ```ts
 * const [problem] = parseUnixCron('0 25 * * *').problems ?? [];
 * cronSpan('0 25 * * *', 'unix', problem.message); // [2, 4]
 * ```
 */
export function cronSpan(
  text: string,
  dialect: Dialect,
  message: string,
): readonly [number, number] | undefined {
  const fields = [...text.matchAll(/\S+/g)].filter(([word]) => !/^(CRON_)?TZ=/.test(word));
  const secondsFirst = dialect === 'temporal' ? fields.length === 7 : fields.length === 6;
  const names = secondsFirst ? withSeconds : withoutSeconds;
  const name = fieldOf(message.replace(/^\w+ cron: /, ''));
  const field = name === undefined ? undefined : fields[names.indexOf(name)];
  return field === undefined ? undefined : [field.index, field.index + field[0].length];
}

/** Messages begin with the name of the field, such as `day of week` or `DayOfWeek`. */
function fieldOf(message: string): string | undefined {
  const found = /^(second|minute|hour|day.?of.?month|day.?of.?week|month|year)/i.exec(message);
  return found?.[1]?.toLowerCase().replace(/[^a-z]/g, '');
}
