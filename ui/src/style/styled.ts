/** Loads a part of the page together with the styles that the list does not need. */
export async function styled<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([load(), import('./later.css')]);
  return part;
}
