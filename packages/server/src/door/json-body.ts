/**
 * Reads the JSON of a body. Every key is data, including `constructor` and `prototype`. Only `__proto__` is refused: code that
 * copies fields one by one would change the object's prototype instead of adding a field.
 */
import { isDeeperJson, ServiceError } from 'carillon/internal/base';

/** Levels of nesting in a body. The service allows fewer for what a schedule stores. */
const deepestBody = 200;

export function readJsonBody(text: string): unknown {
  if (isDeeperJson(text, deepestBody)) {
    throw refusal('TOO_DEEP', `the body nests deeper than ${deepestBody} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refusal('NOT_JSON', `the body is not JSON: ${(error as Error).message}`);
  }
  // The key appears in the text literally or with \u escapes.
  const isSuspect = text.includes('__proto__') || text.includes('\\u');
  if (isSuspect && hasForbiddenKey(value)) {
    throw refusal(
      'BAD_KEY',
      'the key __proto__ is not accepted; rename it, or hand that part over as one text of JSON',
    );
  }
  return value;
}

/** Recursion is safe, because the nesting of the text is checked before. */
function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasForbiddenKey);
}

function refusal(reason: string, message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason, message });
}
