/**
 * Declared schedules, from a manifest or the tasks of a program. Declared schedules are compared with the existing
 * ones and updated; those no longer declared are pruned.
 *
 * A schedule belongs to an owner (a service, a team) and, within the owner, to the declaration that made it:
 *
 * - a schedule of this declaration is updated, and pruned once it is no longer declared;
 * - a schedule of the same owner that was made by hand is adopted by a declaration that names it, and never pruned;
 * - a schedule of another declaration of the same owner, of another owner, or without an owner is foreign. It is
 *   refused, or taken over when the caller asks for it, and never pruned.
 *
 * Fields have owners as well. The declaration owns what a schedule does. A pause belongs to the person who made it,
 * and runs use up the remaining actions: a declared update sets `paused` or `remaining` only when the declaration
 * itself changed them.
 */
import { isSameJson } from '../base/same-json.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { aboutOf } from './schedule-fields.ts';
import type { Sayable } from './schedule-input.ts';

/** The declarer: an owner, and one of its declarations. */
export interface Declarer {
  readonly owner: string;
  /** The declaration: `periodic`, or `manifest:` and a name. */
  readonly declaredBy: string;
}

/** An existing schedule, with the fields that a declaration needs. */
export interface Present extends Sayable {
  readonly declaredBy: string;
  readonly id: string;
  /** The token that was read; a later change is a conflict. */
  readonly token: number;
}

/** The new definition of a schedule. Ports that cannot take a draft add the form that they send. */
export interface DeclarationChange {
  readonly draft: DefinitionDraft;
}

/** One declared schedule; its drafts contain the owner and the declaration. */
export interface Declared<Live extends Present, To extends DeclarationChange> {
  readonly id: string;
  readonly create: To;
  /** Makes the update. Pure. It sets `paused` and `remaining` only to change them. */
  update(live: Live): To;
}

export type DeclarationStep<To extends DeclarationChange = DeclarationChange> =
  | { readonly kind: 'create'; readonly id: string; readonly change: To }
  | { readonly kind: 'update'; readonly id: string; readonly change: To; readonly token: number }
  | { readonly kind: 'unchanged'; readonly id: string; readonly token: number }
  | Refused
  | { readonly kind: 'prune'; readonly id: string; readonly token: number };

/** A schedule of another declarer, with that declarer. */
export interface Refused {
  readonly kind: 'foreign';
  readonly id: string;
  readonly token: number;
  readonly why: Foreign;
  readonly of: Declarer;
}

/** Why a schedule does not belong to the declarer. */
export type Foreign = 'unowned' | 'otherOwner' | 'otherDeclaration';

/** Returns undefined when the declarer may change the schedule. */
export function foreignness(of: Declarer, { owner, declaredBy }: Declarer): Foreign | undefined {
  if (owner !== of.owner) return owner === '' ? 'unowned' : 'otherOwner';
  return declaredBy === '' || declaredBy === of.declaredBy ? undefined : 'otherDeclaration';
}

/** A phrase about the owner of a schedule, for messages. */
export function belonging({ why, of }: Refused): string {
  if (why === 'unowned') return 'belongs to no owner';
  return of.declaredBy === ''
    ? `belongs to '${of.owner}'`
    : `belongs to '${of.owner}', declared by ${of.declaredBy}`;
}

export interface PlanOptions {
  readonly takeOver: boolean;
}

export function planStep<Live extends Present, To extends DeclarationChange>(
  declarer: Declarer,
  declared: Declared<Live, To>,
  live: Live | undefined,
  { takeOver }: PlanOptions = { takeOver: false },
): DeclarationStep<To> {
  const { id } = declared;
  if (live === undefined) return { kind: 'create', id, change: declared.create };
  const { token } = live;
  const why = foreignness(declarer, live);
  if (why !== undefined && !takeOver) {
    const { owner, declaredBy } = live;
    return { kind: 'foreign', id, token, why, of: { owner, declaredBy } };
  }
  const change = declared.update(live);
  return isApplied(change.draft, live)
    ? { kind: 'unchanged', id, token }
    : { kind: 'update', id, change, token };
}

/** The steps that remove schedules which this declaration made and no longer declares. */
export function planPrune(
  declarer: Declarer,
  declared: ReadonlySet<string>,
  there: readonly (Declarer & Pick<Present, 'id' | 'token'>)[],
): readonly DeclarationStep<never>[] {
  return there
    .filter(({ id, owner, declaredBy }) => {
      const isOwn = owner === declarer.owner && declaredBy === declarer.declaredBy;
      return isOwn && !declared.has(id);
    })
    .map(({ id, token }) => ({ kind: 'prune', id, token }));
}

/** Whether an update to the draft would change nothing. */
export function isApplied(draft: DefinitionDraft, live: Sayable): boolean {
  if (draft.paused !== undefined || draft.remaining !== undefined) return false;
  const said = (from: Sayable) => [from.spec, from.action, from.policy, aboutOf(from)];
  return isSameJson(said(draft), said(live));
}

/** Carries out steps, in this process or at a server. Each step is valid only for the token that was read. */
export interface DeclarationPort<To extends DeclarationChange> {
  create(id: string, change: To): Promise<void>;
  update(id: string, change: To, token: number): Promise<void>;
  prune(id: string, token: number): Promise<void>;
}

export type StepOutcome =
  | { readonly ok: true }
  /** `moved`: another caller changed, created or deleted the schedule since it was read. */
  | { readonly ok: false; readonly moved: boolean; readonly error: unknown };

/** Carries out one step. A refusal is an outcome; the caller decides how to handle it. */
export async function applyStep<To extends DeclarationChange>(
  port: DeclarationPort<To>,
  step: DeclarationStep<To>,
): Promise<StepOutcome> {
  try {
    if (step.kind === 'create') await port.create(step.id, step.change);
    else if (step.kind === 'update') await port.update(step.id, step.change, step.token);
    else if (step.kind === 'prune') await port.prune(step.id, step.token);
    return { ok: true };
  } catch (error) {
    return { ok: false, moved: movedReasons.has(reasonOf(error)), error };
  }
}

const movedReasons: ReadonlySet<unknown> = new Set([
  'CONFLICT_TOKEN_MISMATCH',
  'ALREADY_EXISTS',
  'NOT_FOUND',
  'EXECUTION_CLOSED',
  'PRECONDITION_FAILED',
]);

/** Errors of the service and of the client have the same field. */
function reasonOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'reason' in error ? error.reason : undefined;
}
