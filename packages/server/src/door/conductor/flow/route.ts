/** Finds the operation of a path. When several match, the one with the most fixed segments is used, as in Spring. */
import { ServiceError } from 'carillon/internal/base';
import { methodNotSupported } from '../errors.ts';
import type { FlowOperation } from './operation.ts';
import { refusedRoutes } from './refused-routes.ts';

export interface MatchedOperation {
  readonly operation: FlowOperation;
  readonly path: Readonly<Record<string, string>>;
}

export function findFlowOperation(
  operations: readonly FlowOperation[],
  method: string,
  path: string,
): MatchedOperation | { readonly options: readonly string[] } | { readonly refused: string } | undefined {
  const segments = path.split('/').slice(1);
  const refused = refusedRoutes.find((route) => fits(partsOf(route), segments));
  const fitting = operations.filter((operation) => fits(partsOf(operation), segments));
  if (fitting.length === 0) return refused === undefined ? undefined : { refused: refused.why };
  const allowed = [...new Set(fitting.map((operation) => operation.method))];
  if (method === 'OPTIONS') return { options: [...allowed, 'OPTIONS'] };
  const wanted = method === 'HEAD' ? 'GET' : method;
  const [operation] = fitting
    .filter((each) => each.method === wanted)
    .sort((a, b) => written(partsOf(b)) - written(partsOf(a)));
  const isRefused =
    refused !== undefined &&
    (operation === undefined || written(partsOf(refused)) > written(partsOf(operation)));
  if (isRefused) return { refused: refused.why };
  if (operation === undefined) throw methodNotSupported(method, allowed);
  const bound: Record<string, string> = {};
  for (const [index, part] of partsOf(operation).entries())
    if (part.startsWith('{')) bound[part.slice(1, -1)] = decoded(segments[index] ?? '');
  return { operation, path: bound };
}

function partsOf({ path }: { readonly path: string }): readonly string[] {
  return path.split('/').slice(1);
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  if (parts.at(-1) === '**') return fits(parts.slice(0, -1), segments.slice(0, parts.length - 1));
  if (parts.length !== segments.length) return false;
  return parts.every((part, index) =>
    part.startsWith('{') ? segments[index] !== '' : part === segments[index],
  );
}

function written(parts: readonly string[]): number {
  return parts.filter((part) => !part.startsWith('{') && part !== '**').length;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    const message = 'the path is not valid percent-encoding';
    throw new ServiceError({ code: 'invalidArgument', reason: 'BAD_URL', message });
  }
}
