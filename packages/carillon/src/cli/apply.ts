/**
 * Carries out a plan. Each change is valid only for the token that was read; if another caller was faster, its change
 * stays and a conflict is reported.
 */
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
  /** Whether another caller changed, created or deleted the schedule since the plan. */
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
  // When the server cannot be reached, the other steps would fail as well.
  if (!isCarillonError(error) || error.reason === 'UNREACHABLE') throw error;
  const message = moved ? 'changed by another caller since the plan; plan again' : error.message;
  return { ...change, ok: false, conflict: moved, message };
}
