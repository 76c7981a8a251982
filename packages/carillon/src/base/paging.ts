/** Follows the cursors of a listing to its end. */

/** A page and the cursor of the next page. */
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export async function* eachItem<T>(
  read: (after: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield* page.items;
    after = page.next ?? undefined;
  } while (after !== undefined);
}
