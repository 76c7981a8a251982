/**
 * A run by the beginning of its id, as pages and people shorten it. Ids are listed in order, so the runs whose ids begin with a text
 * are those that follow it, and every store finds them without a search.
 */
import { ServiceError } from '../base/error.ts';
import { encodeCursor } from '../store/cursor.ts';
import type { RunRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { RunName } from './run-not-found.ts';
import { runNotFound } from './run-not-found.ts';

/** The time of an id alone is shared by every run of that moment; a shorter text is a word, not the beginning of an id. */
const isBeginning = /^[0-9a-z]{9}(-[0-9a-z]*)?$/;
/** Runs that are named when several begin alike. */
const mostNamed = 5;

/** The only run of the namespace whose id begins so. When there are several, the error names them. */
export async function runByBeginning(store: Store, name: RunName): Promise<RunRow> {
  const { namespace, id } = name;
  if (!isBeginning.test(id)) throw runNotFound(name);
  const after = encodeCursor([id]);
  const query = { namespace, by: 'slot', order: 'ascending', after, limit: mostNamed } as const;
  const { items } = await store.runs({ ...query, payloads: false });
  const found = items.filter((run) => run.id.startsWith(id));
  const [only] = found;
  if (only === undefined) throw runNotFound(name);
  if (found.length > 1) throw severalRuns(name, found);
  const [whole = only] = (await store.runs({ ids: [only.id], limit: 1 })).items;
  return whole;
}

function severalRuns({ namespace, id }: RunName, found: readonly RunRow[]): ServiceError {
  return new ServiceError({
    code: 'notFound',
    reason: 'NOT_FOUND',
    message: `several runs of the namespace '${namespace}' begin with '${id}': give more of the id`,
    didYouMean: found.map((run) => run.id),
  });
}
