type Entries = Readonly<Record<string, string>>;
export const library: Entries;
export const internal: Entries;
export const server: Entries;
export const sources: Entries;
export function exportsOf(
  entries: Entries,
): Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
