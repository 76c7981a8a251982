/** Does what a plan says. Each change holds only for what was read: a caller that was faster wins, and is told of. */
import { type CarillonClient, isCarillonError } from '../client/index.ts';
import type { PlannedChange, StepOutcome } from '../doctor/index.ts';
import { ClientDeclarations } from './client-declarations.ts';
import type { Context } from './context.ts';
import { inParallel } from './in-parallel.ts';
import { Progress } from './progress.ts';

export interface Applied {
  readonly id: string;
  readonly kind: PlannedChange['kind'];
  readonly ok: boolean;
  /** Another caller changed, created or deleted it since the plan. */
  readonly conflict: boolean;
  readonly message: string;
}

export async function applyChanges(
  context: Context,
  client: CarillonClient,
  changes: readonly PlannedChange[],
  isSilent: boolean,
): Promise<readonly Applied[]> {
  const { applyStep } = await import('../doctor/index.ts');
  const port = new ClientDeclarations(client);
  const progress = new Progress(context, { label: 'applying', total: changes.length, isSilent });
  const results = await inParallel(
    changes,
    async ({ id, kind, step }) => appliedOf({ id, kind }, await applyStep(port, step)),
    (done, { id }) => progress.at(done, id),
  );
  progress.end();
  return results;
}

function appliedOf(change: Pick<PlannedChange, 'id' | 'kind'>, outcome: StepOutcome): Applied {
  if (outcome.ok) return { ...change, ok: true, conflict: false, message: '' };
  const { error, moved } = outcome;
  // Without a server there is no point in trying the others.
  if (!isCarillonError(error) || error.reason === 'UNREACHABLE') throw error;
  const message = moved ? 'changed by another caller since the plan; plan again' : error.message;
  return { ...change, ok: false, conflict: moved, message };
}
