/** Structured logs, one JSON object per line. */
import { pino } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** Default standard output. */
  readonly write?: (line: string) => void;
}

/** What could carry a key or a payload is never written. */
const secrets = ['req.headers.authorization', 'req.headers["x-api-key"]', 'headers.authorization'];

export function openLog({ level, write }: LogOptions) {
  const settings = {
    level,
    base: null,
    redact: secrets,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return write === undefined ? pino(settings) : pino(settings, { write });
}
