/**
 * Reads the JSON of a body. Every key is data, `constructor` and `prototype` too, but `__proto__`: wherever fields are copied
 * one by one, it would change what an object is instead of becoming a field.
 */
import { isDeeperJson, ServiceError } from 'carillon/internal/base';

/** Levels of nesting of a body; what a schedule keeps is held to less by the service. */
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
  // The key stands in the text as it is, or with characters written as \u….
  const isSuspect = text.includes('__proto__') || text.includes('\\u');
  if (isSuspect && hasForbiddenKey(value)) {
    throw refusal(
      'BAD_KEY',
      'the key __proto__ is not accepted; rename it, or hand that part over as one text of JSON',
    );
  }
  return value;
}

/** Recursive: the text was found not to nest too deep. */
function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasForbiddenKey);
}

function refusal(reason: string, message: string): ServiceError {
  return new ServiceError({ code: 'invalidArgument', reason, message });
}
