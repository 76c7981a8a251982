/** Turns the end of a handler into the conclusion that is reported. */
import { unwritableResult } from '../base/plain-json.ts';
import type { Interruption } from './context.ts';
import type { Failure } from './failure.ts';
import { failureOf, failureTypes } from './failure.ts';
import type { Conclusion } from './lifecycle.ts';
import { longestResult } from './limits.ts';
import { isParking } from './parking.ts';

/** The result of a handler that ended its run itself, with its last checkpoint: there is nothing left to report. */
export const concluded = Symbol('concluded');

/** A result that cannot be stored fails the attempt for good: the same handler would return the same result again. */
export function conclusionOfResult(value: unknown): Conclusion {
  if (value === undefined) return { kind: 'completed', result: null };
  if (isParking(value)) return { kind: 'parked', forMs: value.forMs };
  let result: string | undefined;
  try {
    result = JSON.stringify(value);
  } catch (error) {
    return badResult(unwritableResult(value, error));
  }
  if (result === undefined) return { kind: 'completed', result: null };
  if (result.length > longestResult) {
    return badResult(
      `the result has ${result.length} characters of JSON, at most ${longestResult} are stored`,
    );
  }
  return { kind: 'completed', result };
}

/**
 * Null: no report. An attempt that ended because its lease ended is judged by the queue, which counts it; a
 * handler that makes its worker lose leases must not be repeated for ever.
 */
export function conclusionOfError(
  error: unknown,
  interrupted: { readonly kind: Interruption; readonly message: string } | null,
): Conclusion | null {
  switch (interrupted?.kind) {
    case 'cancelled':
      return {
        kind: 'cancelled',
        failure: cancelled(interrupted.message),
        ...(leavesWork(error) ? { left: true } : {}),
      };
    case 'leaseLost':
    case 'terminated':
      return null;
    case 'stopping':
      return { kind: 'released', begun: true };
    default:
      return { kind: 'failed', failure: failureOf(error) };
  }
}

/** Whether a handler says that it could not end its work outside. */
function leavesWork(error: unknown): boolean {
  return (error as { readonly leavesWork?: unknown } | null | undefined)?.leavesWork === true;
}

function cancelled(message: string): Failure {
  return { message, type: failureTypes.cancelled };
}

function badResult(message: string): Conclusion {
  return { kind: 'failed', failure: { message, type: failureTypes.badResult, nonRetryable: true } };
}
