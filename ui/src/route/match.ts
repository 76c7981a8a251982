/** Matches paths with patterns of screens. `$name` in a pattern matches one part of the path. */
export type Params = Readonly<Record<string, string>>;

/** The parameters of a path that matches the pattern; undefined when it does not match. */
export function paramsOf(pattern: string, path: string): Params | undefined {
  const names = partsOf(pattern);
  const parts = partsOf(path);
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = decoded(parts[index] ?? '');
    if (part === undefined) return undefined;
    if (name.startsWith('$')) params[name.slice(1)] = part;
    else if (name !== part) return undefined;
  }
  return params;
}

/** The parts of a path. Empty parts are left out. */
function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

/** A decoded part; undefined when an address was cut off in the middle of an escape. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
