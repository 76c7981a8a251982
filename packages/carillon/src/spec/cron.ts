/** Cron text of any dialect. */
import { unreachable } from '../base/assert.ts';
import { parseSpringCron } from './cron-spring.ts';
import { parseTemporalCron } from './cron-temporal.ts';
import { parseUnixCron, type UnixCronOptions } from './cron-unix.ts';
import type { Dialect } from './model.ts';
import type { Parsed, ParsedCron } from './parsed.ts';

export const dialects: readonly Dialect[] = ['temporal', 'spring', 'unix'];
export const defaultDialect: Dialect = 'unix';

/** Parses one text. Problems have an empty path, because the caller knows the path of the text. */
export function parseCron(text: string, dialect: Dialect, options: UnixCronOptions = {}): Parsed<ParsedCron> {
  switch (dialect) {
    case 'temporal':
      return parseTemporalCron(text);
    case 'spring':
      return parseSpringCron(text);
    case 'unix':
      return parseUnixCron(text, options);
    default:
      return unreachable(dialect);
  }
}
