/** Does what a plan says. Each change holds only for what was read: whoever was faster wins, and is told of. */
import { type CarillonClient, isCarillonError } from '../client/index.ts';
import type { PlannedChange } from '../doctor/index.ts';
import type { Context } from './context.ts';
import { inParallel } from './in-parallel.ts';
import { Progress } from './progress.ts';

export interface Applied {
  readonly id: string;
  readonly kind: PlannedChange['kind'];
  readonly ok: boolean;
  /** Somebody else changed, created or deleted it since the plan. */
  readonly conflict: boolean;
  readonly message: string;
}

const conflictReasons = new Set([
  'CONFLICT_TOKEN_MISMATCH',
  'ALREADY_EXISTS',
  'NOT_FOUND',
  'EXECUTION_CLOSED',
  'PRECONDITION_FAILED',
]);

export async function applyChanges(
  context: Context,
  client: CarillonClient,
  changes: readonly PlannedChange[],
  isSilent: boolean,
): Promise<readonly Applied[]> {
  const progress = new Progress(context, { label: 'applying', total: changes.length, isSilent });
  const results = await inParallel(
    changes,
    async (change) => await applyOne(client, change),
    (done, { id }) => progress.at(done, id),
  );
  progress.end();
  return results;
}

async function applyOne({ schedules }: CarillonClient, change: PlannedChange): Promise<Applied> {
  const { id, kind, input = {}, token } = change;
  const match = token === undefined ? {} : { match: token };
  try {
    if (kind === 'create') await schedules.create(id, input);
    else if (kind === 'update') await schedules.put(id, input, match);
    else if (kind === 'prune') await schedules.delete(id, match);
    return { id, kind, ok: true, conflict: false, message: '' };
  } catch (error) {
    if (!isCarillonError(error)) throw error;
    // Without a server there is no point in trying the others.
    if (error.reason === 'UNREACHABLE') throw error;
    const conflict = conflictReasons.has(error.reason);
    const message = conflict ? 'changed by somebody else since the plan; plan again' : error.message;
    return { id, kind, ok: false, conflict, message };
  }
}
