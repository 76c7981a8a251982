/**
 * Refuses payloads that JSON would change before they are sent: the server would only see what JSON made of them, and a handler
 * would get something else than the caller gave.
 */
import { circularProblem, lossyProblem } from '../base/plain-json.ts';
import { CarillonError } from './error.ts';

interface Payloads {
  readonly input?: unknown;
  readonly memo?: unknown;
}

/** Returns the body as it is. */
export function demandPlain<Body extends Payloads>(body: Body): Body {
  for (const field of ['input', 'memo'] as const) {
    const value = body[field];
    const problem = circularProblem(field, value) ?? lossyProblem(field, value);
    if (problem === undefined) continue;
    const { path, message, fix } = problem;
    throw new CarillonError({
      status: 0,
      code: 'invalidArgument',
      reason: 'INVALID',
      message: `${path}: ${message} (${fix})`,
      problems: [problem],
    });
  }
  return body;
}
