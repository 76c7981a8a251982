/** A failure as text: its stack, the details of its handler, the errors that it contains, and its causes. Pure. */
export interface FailureLike {
  readonly message: string;
  readonly type?: string;
  readonly stack?: string;
  readonly details?: unknown;
  readonly errors?: unknown;
  readonly cause?: unknown;
}

/** The server keeps causes five deep and ten errors of an aggregate; a stored failure of another program may have more. */
const deepest = 8;
const mostErrors = 20;

export function failureText(failure: FailureLike): string {
  return linesOf(failure, 0).join('\n');
}

function linesOf(failure: FailureLike, depth: number): readonly string[] {
  const { type, message, stack, details, cause } = failure;
  const named = type === undefined || type === '' ? message : `${type}: ${message}`;
  const lines = (stack ?? named).split('\n');
  if (details !== undefined && details !== null)
    lines.push(...`details: ${JSON.stringify(details, null, 2)}`.split('\n'));
  if (depth >= deepest) return lines;
  const several = errorsOf(failure);
  for (const [index, error] of several.entries()) {
    const [first = '', ...rest] = linesOf(error, depth + 1);
    lines.push(`${index + 1} of ${several.length}: ${first}`, ...rest.map((line) => `    ${line}`));
  }
  if (isFailure(cause)) {
    const [first = '', ...rest] = linesOf(cause, depth + 1);
    lines.push(`caused by ${first}`, ...rest);
  }
  return lines;
}

function errorsOf({ errors }: FailureLike): readonly FailureLike[] {
  return Array.isArray(errors) ? errors.filter(isFailure).slice(0, mostErrors) : [];
}

function isFailure(value: unknown): value is FailureLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly message?: unknown }).message === 'string'
  );
}

/** Names the further parts of a failure: `2 errors`, `its cause`; empty when there are none. */
export function behindText(failure: FailureLike): string {
  const several = errorsOf(failure).length;
  const parts = [
    ...(several === 0 ? [] : [several === 1 ? 'the error in it' : `the ${several} errors in it`]),
    ...(isFailure(failure.cause) ? ['what caused it'] : []),
  ];
  return parts.length === 0 ? '' : `with ${parts.join(' and ')}`;
}

const longestSentence = 240;

/** The first line of a message, short enough for a sentence; the card of the failure has the whole text. */
export function headlineOf(message: string): string {
  const line =
    message
      .split('\n')
      .find((each) => each.trim() !== '')
      ?.trim() ?? '';
  return line.length <= longestSentence ? line : `${line.slice(0, longestSentence - 1)}…`;
}
