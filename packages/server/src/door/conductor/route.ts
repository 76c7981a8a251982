/** Finds the operation of a request. Segments are decoded one by one, so that names may contain every character. */
import { ServiceError } from 'carillon/internal/base';
import { methodNotSupported } from './errors.ts';
import type { Operation } from './operation.ts';

export interface Matched {
  readonly operation: Operation;
  /** The name of the schedule, where the path has one. */
  readonly name: string;
}

export type Found = Matched | { readonly options: readonly string[] };

/** Undefined when no operation has this path. Throws when none of those that have it takes the method. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  path: string,
): Found | undefined {
  const segments = path.split('/').slice(1);
  const fitting = operations.filter((operation) => fits(operation, segments));
  if (fitting.length === 0) return undefined;
  const allowed = [...new Set(fitting.flatMap(({ methods }) => methods))];
  if (method === 'OPTIONS') return { options: [...allowed, 'OPTIONS'] };
  const operation = fitting.find((each) => takes(each, method));
  if (operation === undefined) throw methodNotSupported(method, allowed);
  const at = operation.path.split('/').indexOf('{name}');
  return { operation, name: at < 0 ? '' : decoded(segments[at - 1] ?? '') };
}

/** HEAD is a GET without its body, but never for a GET that changes something. */
function takes({ methods, changes }: Operation, method: string): boolean {
  if (method === 'HEAD') return changes !== true && methods.includes('GET');
  return methods.some((each) => each === method);
}

function fits({ path }: Operation, segments: readonly string[]): boolean {
  const pattern = path.split('/').slice(1);
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, index) =>
    part === '{name}' ? segments[index] !== '' : part === segments[index],
  );
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    const message = 'the path is not valid percent-encoding';
    throw new ServiceError({ code: 'invalidArgument', reason: 'BAD_URL', message });
  }
}
