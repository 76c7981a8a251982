/** Follows the cursors of a listing to its end. */
import type { PageJson } from '../service/wire.ts';

export async function* each<T>(
  read: (after: string | undefined) => Promise<PageJson<T>>,
): AsyncGenerator<T, void, undefined> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* page.items;
    after = page.next ?? undefined;
  } while (after !== undefined);
}
