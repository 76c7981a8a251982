/** What is left as it is, and the parameters: `?`, and `?2` for the second value. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?(?<number>\d*)/g;

/**
 * A statement whose parameters are all anonymous, and for each of them the place of its value among the given ones; no places
 * where the statement has no numbered parameter. `node:sqlite` gives values by their order to anonymous parameters only until
 * Node 22.20, and in the first versions of Node 24.
 */
export function anonymous(sql: string): { readonly text: string; readonly places?: readonly number[] } {
  const places: number[] = [];
  let last = 0;
  let isNumbered = false;
  const text = sql.replace(tokens, (token, ...rest) => {
    const { number } = rest.at(-1) as { readonly number?: string };
    if (number === undefined) return token;
    if (number !== '') isNumbered = true;
    // As SQLite counts: a parameter without a number follows the largest one so far.
    const value = number === '' ? last + 1 : Number(number);
    last = Math.max(last, value);
    places.push(value - 1);
    return '?';
  });
  return isNumbered ? { text, places } : { text: sql };
}
