/** Which screen a path names. `$name` in a pattern takes one part of the path. */
export type Params = Readonly<Record<string, string>>;

/** The parameters of a path that fits the pattern. */
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

/** A slash at the end, or two in a row, changes nothing. */
function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}

/** An address that was cut off in the middle of an escape names nothing. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
