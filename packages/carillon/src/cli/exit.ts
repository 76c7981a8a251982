/** How commands end. The codes are part of the documented interface. */
import type { Problem } from '../base/error.ts';

export const exitCode = {
  ok: 0,
  /** Something went wrong while working, or a check found something. */
  failure: 1,
  /** The input cannot be understood; nothing was done. */
  badInput: 2,
  /** `plan` only: there is something to apply. Not 2, or a slip of the keyboard would look like work to do. */
  pending: 3,
  /** The command comes with the server package, which is not installed; what a shell says of a program it cannot find. */
  serverMissing: 127,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** One line for every help text. */
export const exitCodesHelp =
  'Exit codes: 0 done, 1 failed or found something, 2 the input was not understood. See: carillon exit-codes';

/** Ends a command that has said what it had to say, with the code that says the same to a script. */
export class EndWith extends Error {
  override readonly name = 'EndWith';
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** A problem with what the user typed, with the text and place to point at where we know them. */
export interface InputProblem extends Problem {
  readonly source?: string;
  /** Characters of `source` that are wrong: from (inclusive), to (exclusive). */
  readonly span?: readonly [from: number, to: number];
}

/** Ends a command with code 2. Thrown where the input is read, caught once in `program.ts`. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    super(problems.map((problem) => problem.message).join('; '));
    this.problems = problems;
  }
}
