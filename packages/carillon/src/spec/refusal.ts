/**
 * How the unix and spring readers give up on a field: the part that is wrong throws deep inside, the reader
 * catches it at the field, notes the problem and goes on with the next field. Never leaves a reader.
 */
import type { Problem } from '../base/error.ts';
import { problem } from './parsed.ts';

export class Refusal extends Error {
  readonly reason: string;
  readonly fix: string | undefined;

  constructor(reason: string, message: string, fix?: string) {
    super(message);
    this.reason = reason;
    this.fix = fix;
  }
}

export function refusalProblem(dialect: string, { reason, message, fix }: Refusal): Problem {
  return problem('', reason, `${dialect} cron: ${message}`, fix);
}

export interface FieldReader {
  /** Runs `read`; a refusal is noted and `fallback` returned in its place. */
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
        if (!(error instanceof Refusal)) throw error;
        problems.push(refusalProblem(dialect, error));
        return fallback;
      }
    },
  };
}
