/** The styles that the list does without come beside the first other part of the page. */
export async function styled<T>(load: () => Promise<T>): Promise<T> {
  const [part] = await Promise.all([load(), import('./later.css')]);
  return part;
}
