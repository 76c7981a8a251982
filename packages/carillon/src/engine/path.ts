/** Paths are `child`, `children:id`, joined by `/`; ids are percent-encoded. The root is the empty path. */
export function childPath(parent: string, name: string, id?: string): string {
  const own = id === undefined ? name : `${name}:${encodeURIComponent(id)}`;
  return parent === '' ? own : `${parent}/${own}`;
}

export function parentPath(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut < 0 ? '' : path.slice(0, cut);
}

/** The name under which a cold component's state is stored; part names cannot be empty, so the root's is a dot. */
export function partName(path: string): string {
  return path === '' ? '.' : path;
}
