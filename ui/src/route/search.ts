/** The query of an address as texts by name. Unknown parameters are kept. */
export type Search = Readonly<Record<string, string | undefined>>;

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Search): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === '') continue;
    query.set(name, value);
  }
  const text = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}
