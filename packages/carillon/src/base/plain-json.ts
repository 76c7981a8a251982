/**
 * Finds what JSON would bend: a `Date` becomes a text, a `Map` an empty object, `NaN` null, a function nothing. A handler that got
 * such a value back would not know.
 */

export interface Bent {
  /** Where it is, such as `items[0].at`; empty for the value itself. */
  readonly path: string;
  readonly what: string;
}

/** The first value that JSON would not give back as it is; undefined when there is none. */
export function bentByJson(value: unknown, path = ''): Bent | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { path, what: `the number ${value}` };
    case 'object':
      return value === null ? undefined : ofObject(value, path);
    case 'undefined':
      return path === '' ? undefined : { path, what: 'undefined in a list' };
    default:
      return { path, what: `a ${typeof value}` };
  }
}

function ofObject(value: object, path: string): Bent | undefined {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) {
      const bent = bentByJson(each, `${path}[${index}]`);
      if (bent !== undefined) return bent;
    }
    return undefined;
  }
  const proto: unknown = Object.getPrototypeOf(value);
  if (proto !== null && proto !== Object.prototype && Object.getPrototypeOf(proto) !== null) {
    return { path, what: `a ${value.constructor?.name ?? 'class instance'}` };
  }
  for (const [name, each] of Object.entries(value)) {
    // A field that is undefined is a field that is absent.
    if (each === undefined) continue;
    const bent = bentByJson(each, path === '' ? name : `${path}.${name}`);
    if (bent !== undefined) return bent;
  }
  return undefined;
}
