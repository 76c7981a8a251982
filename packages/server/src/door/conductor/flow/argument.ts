/** Arguments of the original's operations: problems name them as its clients do. */
import { isServiceError, ServiceError } from 'carillon/internal/base';
import type { Fields } from '../../../flow/read-fields.ts';
import { Reading } from '../../../flow/read-fields.ts';
import { validationFailed } from '../errors.ts';
import { refused } from '../query-parameter.ts';
import type { FlowCall } from './operation.ts';

/** Reads a value. Its problems become broken rules of an argument. */
export function checked<T>(read: () => T, argument: string, sent?: unknown): T {
  try {
    return read();
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'invalidArgument') throw error;
    const fields = error.problems.map(({ path, message, fix }) => ({
      path: path === '' ? argument : `${argument}.${path}`,
      message: fix === undefined ? message : `${message}; ${fix}`,
      ...invalidValue(sent, path),
    }));
    const own = error.problems.findIndex(({ reason }) => ownRules.includes(reason));
    throw validationFailed(fields, fields[own]?.message);
  }
}

/** Rules that the original does not have: it accepts what breaks them. */
const ownRules: readonly string[] = [
  'UNSUPPORTED_TYPE',
  'UNSUPPORTED_EVALUATOR',
  'UNSUPPORTED',
  'BAD_EXPRESSION',
  'BAD_WAIT',
];

/** The invalid value for the answer, if it is a text or a number. */
export function invalidValue(sent: unknown, path: string): { readonly invalidValue?: string } {
  let value = sent;
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== ''))
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  return path !== '' && (typeof value === 'number' || typeof value === 'string')
    ? { invalidValue: String(value) }
    : {};
}

/** The body as an object. Throws when the request has none. */
export function objectOf(call: FlowCall): Fields {
  const reading = new Reading();
  const sent = reading.map(call.body(), '');
  if (reading.problems.length > 0) throw ServiceError.invalid(reading.problems);
  if (sent === null || sent === undefined) throw refused('', 'the body must be a JSON object');
  return sent;
}
