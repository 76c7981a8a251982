/** Converts what a command threw to text or JSON, and an exit code. */
import { ServiceError } from '../base/error.ts';
import { type CarillonError, isCarillonError } from '../client/index.ts';
import { isStoreError } from '../store/error.ts';
import { BadArguments } from './arguments.ts';
import type { Context } from './context.ts';
import { BadInput, EndWith, type ExitCode, exitCode } from './exit.ts';
import { problemText } from './problem-text.ts';

export function reportError(error: unknown, context: Context, json: boolean): ExitCode {
  // The command has already printed everything.
  if (error instanceof EndWith) return error.code;
  if (error instanceof BadArguments) {
    const { message } = error;
    context.stderr.write(
      json ? errorJson({ reason: 'BAD_ARGUMENTS', message, problems: [] }) : `error: ${message}\n`,
    );
    return exitCode.badInput;
  }
  if (error instanceof BadInput) {
    const problems = error.problems.map(({ span: _, ...problem }) => problem);
    const { message } = ServiceError.invalid(problems);
    const text = json
      ? errorJson({ reason: 'INVALID', message, problems })
      : problemText(error.problems, context.colors.stderr);
    context.stderr.write(text);
    return exitCode.badInput;
  }
  if (isCarillonError(error)) return reportRefusal(error, context, json);
  const { message, ...failed } = ServiceError.from(error);
  // A store that is in use or damaged is not a bug of the program.
  const reason = isStoreError(error) ? `STORE_${error.trouble.toUpperCase()}` : failed.reason;
  const text = json
    ? errorJson({ reason, message, problems: [] })
    : problemText([{ path: '', reason, message }], context.colors.stderr);
  context.stderr.write(text);
  return exitCode.failure;
}

/** The JSON of an error, the same for all sources. */
export function errorJson(error: Pick<CarillonError, 'reason' | 'message' | 'problems'>): string {
  return `${JSON.stringify({ error }, undefined, 2)}\n`;
}

/** An invalid argument was typed on this command line; all other errors happened on the server. */
function reportRefusal(error: CarillonError, context: Context, json: boolean): ExitCode {
  const { code, reason, message, problems } = error;
  // The server's message mentions a header; on the command line the key is a variable.
  const fix = code === 'unauthenticated' ? { fix: 'set CARILLON_KEY to a key of this server' } : {};
  const text = json
    ? errorJson({ reason, message, problems })
    : problemText(
        problems.length > 0 && code === 'invalidArgument'
          ? problems
          : [{ path: '', reason, message, ...fix }],
        context.colors.stderr,
      );
  context.stderr.write(text);
  return code === 'invalidArgument' ? exitCode.badInput : exitCode.failure;
}
