/** The exit codes of commands. They are part of the documented interface. */
import type { Problem } from '../base/error.ts';

export const exitCode = {
  ok: 0,
  /** The command failed, or a check found something. */
  failure: 1,
  /** The input is invalid; nothing was done. */
  badInput: 2,
  /**
   * `plan` only: there are changes to apply. It is not 2, because a typing error would then look like pending
   * changes.
   */
  pending: 3,
  /** The command needs the server package, which is not installed. Shells use the same code for a missing program. */
  serverMissing: 127,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The line about exit codes in every help text. */
export const exitCodesHelp =
  'Exit codes: 0 done, 1 failed or found something, 2 the input was not understood. See: carillon exit-codes';

/** Ends a command with an exit code after it has printed everything. */
export class EndWith extends Error {
  override readonly name = 'EndWith';
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** A problem of the user's input, with the text and position if they are known. */
export interface InputProblem extends Problem {
  readonly source?: string;
  /** The wrong characters of `source`: from (inclusive), to (exclusive). */
  readonly span?: readonly [from: number, to: number];
}

/** Ends a command with code 2. Code that reads input throws it; `program.ts` catches it. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    super(problems.map((problem) => problem.message).join('; '));
    this.problems = problems;
  }
}
