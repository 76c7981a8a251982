/**
 * The error by which the unix and spring parsers report a wrong field: a nested function throws it, the parser
 * catches it at the field, records the problem and continues with the next field. It never leaves a parser.
 */
import type { Problem } from '../base/error.ts';
import { problem } from './parsed.ts';

export class CronRefusal extends Error {
  readonly reason: string;
  readonly fix: string | undefined;

  constructor(reason: string, message: string, fix?: string) {
    super(message);
    this.reason = reason;
    this.fix = fix;
  }
}

export function refusalProblem(dialect: string, { reason, message, fix }: CronRefusal): Problem {
  return problem('', reason, `${dialect} cron: ${message}`, fix);
}

export interface FieldReader {
  /** Runs `read`. A refusal is recorded, and `fallback` is returned in its place. */
  readonly attempt: <T>(read: () => T, fallback: T) => T;
  readonly problems: readonly Problem[];
}

export function fieldReader(dialect: string): FieldReader {
  const problems: Problem[] = [];
  return {
    problems,
    attempt: (read, fallback) => {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof CronRefusal)) throw error;
        problems.push(refusalProblem(dialect, error));
        return fallback;
      }
    },
  };
}
