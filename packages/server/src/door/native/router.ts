/**
 * Finds the operation of a request. It is hand-written for two reasons. Ids may contain any character: the path is split first
 * and decoded afterwards, so that `a%2Fb` is one id and `a%3Apause` is an id and not a verb. And the answer to a path that
 * almost matches says what the right path would be.
 */
import { ServiceError } from 'carillon/internal/base';
import type { Operation } from './operation.ts';

export interface Matched {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  /** The namespace in the path; absent when the path names none. */
  readonly namespace?: string;
}

/** `path` is the path as sent, after the prefix and without the query. */
export function route(operations: readonly Operation[], method: string, path: string): Matched {
  const { segments, verb, namespace } = read(path);
  const sameShape = operations.filter((operation) => fits(operation, segments));
  const here = sameShape.filter((operation) => operation.verb === verb);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const operation = here.find((each) => each.method === wanted);
  if (operation === undefined) throw refusal({ path, method, verb, here, sameShape });
  return { operation, path: bind(operation, segments), ...(namespace === undefined ? {} : { namespace }) };
}

interface Miss {
  readonly path: string;
  readonly method: string;
  readonly verb: string | undefined;
  readonly here: readonly Operation[];
  readonly sameShape: readonly Operation[];
}

function refusal({ path, method, verb, here, sameShape }: Miss): ServiceError {
  if (here.length > 0) {
    const allowed = allowedMethods(here);
    return new ServiceError({
      code: 'unimplemented',
      reason: 'METHOD_NOT_ALLOWED',
      message: `${method} is not allowed here; use ${allowed.join(', ')}`,
      problems: [{ path: 'method', reason: 'METHOD_NOT_ALLOWED', message: allowed.join(', ') }],
    });
  }
  const verbs = [...new Set(sameShape.flatMap((each) => each.verb ?? []))];
  if (verb !== undefined && verbs.length > 0) {
    return new ServiceError({
      code: 'notFound',
      reason: 'UNKNOWN_VERB',
      message: `there is no verb ':${verb}' here; there are ${verbs.map((each) => `:${each}`).join(', ')} (a colon that belongs to an id is written %3A)`,
    });
  }
  return new ServiceError({
    code: 'notFound',
    reason: 'UNKNOWN_ROUTE',
    message: `there is nothing at '${path}'; /api/v1/docs lists what there is`,
  });
}

/** The methods for the Allow header. */
export function allowedMethods(operations: readonly Operation[]): readonly string[] {
  const methods = [...new Set(operations.map((each) => each.method as string))];
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function read(path: string): { segments: readonly string[]; verb?: string; namespace?: string } {
  const raw = path.split('/').slice(1);
  // One slash at the end is allowed. An empty segment in the middle is an empty id, which no schedule has.
  if (raw.length > 1 && raw.at(-1) === '') raw.pop();
  const last = raw.at(-1) ?? '';
  const colon = last.lastIndexOf(':');
  const verb = colon < 0 ? undefined : last.slice(colon + 1);
  const encoded = colon < 0 ? raw : [...raw.slice(0, -1), last.slice(0, colon)];
  const segments = encoded.map(decode);
  const scoped = segments[0] === 'namespaces' && segments.length > 2;
  return {
    segments: scoped ? segments.slice(2) : segments,
    ...(verb === undefined ? {} : { verb }),
    ...(scoped ? { namespace: segments[1] as string } : {}),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ServiceError({
      code: 'invalidArgument',
      reason: 'BAD_URL',
      message: `'${segment}' is not valid percent-encoding`,
    });
  }
}

/** Each pattern is split once, because there are few operations and many requests. */
const patterns = new WeakMap<Operation, readonly string[]>();

function patternOf(operation: Operation): readonly string[] {
  let pattern = patterns.get(operation);
  if (pattern === undefined) {
    pattern = operation.path.split('/').slice(1);
    patterns.set(operation, pattern);
  }
  return pattern;
}

function fits(operation: Operation, segments: readonly string[]): boolean {
  const pattern = patternOf(operation);
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) => part.startsWith('{') || part === segments[index]);
}

function bind(operation: Operation, segments: readonly string[]): Readonly<Record<string, string>> {
  const bound: Record<string, string> = {};
  for (const [index, part] of patternOf(operation).entries()) {
    if (part.startsWith('{')) bound[part.slice(1, -1)] = segments[index] as string;
  }
  return bound;
}
