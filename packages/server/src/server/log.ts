/** Structured logs, one JSON object per line. */
import type { LogFn, LoggerOptions } from 'pino';
import { pino } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** Receives each line. Default: standard output. */
  readonly write?: (line: string) => void;
  /** Whether a line with these fields is left out. Default: none is. */
  readonly leavesOut?: (fields: unknown) => boolean;
}

/** Field names that hold keys, tokens and passwords. */
const secretNames: ReadonlySet<string> = new Set([
  ...['authorization', 'proxy-authorization', 'x-api-key', 'cookie', 'set-cookie'],
  ...['secret', 'password', 'leaseToken', 'callbackSecret'],
]);

const hidden = '[Redacted]';

/** Levels of an error's extra fields that are searched for secrets; deeper levels are left out. */
const deepest = 6;

/**
 * Removes values that could contain a key. Carillon's own fields contain none, so only the fields that hold foreign objects
 * are searched: a search of every line would take a third of its cost.
 */
const serializers = {
  err: (error: unknown) => scrubbed(error instanceof Error ? pino.stdSerializers.err(error) : error),
  ...Object.fromEntries(
    ['error', 'cause', 'headers', 'req', 'request', 'res'].map((name) => [name, scrubbed]),
  ),
  ...Object.fromEntries([...secretNames].map((name) => [name, () => hidden])),
};

function scrubbed(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) return value.map((each) => scrubbed(each, depth + 1));
  const entries =
    value instanceof Error ? Object.entries(pino.stdSerializers.err(value)) : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, each]) => [
      name,
      secretNames.has(name.toLowerCase()) || secretNames.has(name) ? hidden : scrubbed(each, depth + 1),
    ]),
  );
}

export function openLog({ level, write, leavesOut }: LogOptions) {
  const settings: LoggerOptions = {
    level,
    base: null,
    serializers,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    ...(leavesOut === undefined ? {} : { hooks: { logMethod: unless(leavesOut) } }),
  };
  return write === undefined ? pino(settings) : pino(settings, { write });
}

function unless(leavesOut: (fields: unknown) => boolean) {
  return function write(this: unknown, line: Parameters<LogFn>, method: LogFn): void {
    if (!leavesOut(line[0])) method.apply(this, line);
  };
}
