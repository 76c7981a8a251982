/** Finds the door of a path, and answers what the doors have declared about paths. */
import type { HttpDoor, HttpErrors, RefusedRequest } from '../door/http-door.ts';

export class DoorTable {
  readonly #errors: readonly { readonly path: string; readonly errors: HttpErrors }[];
  readonly #fallback: HttpErrors;
  readonly #public: PathSet;
  readonly #quiet: PathSet;
  readonly #untraced: PathSet;
  readonly #secret: readonly string[];

  /** `fallback` answers errors for doors without their own answers and for paths of no door. */
  constructor(doors: readonly HttpDoor[], fallback: HttpErrors) {
    this.#fallback = fallback;
    this.#errors = doors
      .flatMap(({ paths, errors = fallback }) => paths.map((path) => ({ path, errors })))
      .sort((a, b) => b.path.length - a.path.length);
    this.#public = new PathSet(doors.flatMap(({ publicPaths = [] }) => publicPaths));
    this.#quiet = new PathSet(doors.flatMap(({ quietPaths = [] }) => quietPaths));
    this.#untraced = new PathSet(doors.flatMap(({ untracedPaths = [] }) => untracedPaths));
    this.#secret = doors.flatMap(({ secretPaths = [] }) => secretPaths);
  }

  isPublic(url: string): boolean {
    return this.#public.has(pathOf(url));
  }

  isQuiet(url: string): boolean {
    return this.#quiet.has(pathOf(url));
  }

  isTraced(url: string): boolean {
    return !this.#untraced.has(pathOf(url));
  }

  /** The URL without secrets, for logs. */
  shown(url: string): string {
    const secret = this.#secret.find((path) => url.startsWith(path));
    return secret === undefined ? url : `${secret}…`;
  }

  refused({ id, method, url }: { id: string; method: string; url: string }): RefusedRequest {
    return { id, method, path: pathOf(this.shown(url)) };
  }

  errorsOf(url: string): HttpErrors {
    const path = pathOf(url);
    return this.#errors.find((each) => isBelow(path, each.path))?.errors ?? this.#fallback;
  }
}

/** A set of exact paths and of prefixes, which end with a slash. The root is a path, never a prefix. */
class PathSet {
  readonly #exact: ReadonlySet<string>;
  readonly #below: readonly string[];

  constructor(paths: readonly string[]) {
    this.#exact = new Set(paths);
    this.#below = paths.filter((path) => path.length > 1 && path.endsWith('/'));
  }

  has(path: string): boolean {
    return this.#exact.has(path) || this.#below.some((prefix) => path.startsWith(prefix));
  }
}

function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/');
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
