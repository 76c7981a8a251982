/**
 * Schedules as something declares them: a manifest, or the tasks of a program. What is declared is compared with what is
 * there, brought in line, and what is declared no longer is pruned.
 *
 * A schedule belongs to an owner (a service, a team) and, within the owner, to the declaration that made it:
 *
 * - of this declaration: it is updated, and pruned once it is no longer declared;
 * - of the same owner, made by hand: a declaration that names it adopts it; none prunes it;
 * - of the same owner and another declaration, of another owner, or of none: foreign. It is refused, or taken over where the
 *   caller says so, and never pruned.
 *
 * Fields have owners, too. The declaration owns what a schedule does; the person who pauses it owns the pause, and its runs
 * use up the actions left: a declared update says `paused` or `remaining` only when the declaration itself changed them.
 */
import { isSameJson } from '../base/same-json.ts';
import type { DefinitionDraft } from './definition-draft.ts';
import { aboutOf } from './schedule-fields.ts';
import type { Sayable } from './schedule-input.ts';

/** Who declares: an owner, and which of its declarations. */
export interface Declarer {
  readonly owner: string;
  /** `periodic`, or `manifest:` and a name. */
  readonly declaredBy: string;
}

/** A schedule as it is there, as far as a declaration cares. */
export interface Present extends Sayable {
  readonly declaredBy: string;
  readonly id: string;
  /** A change since it was read is a conflict. */
  readonly token: number;
}

/** What a schedule is to become. Ports that cannot take a draft add what they send instead. */
export interface Change {
  readonly draft: DefinitionDraft;
}

/** One declared schedule; its drafts carry the owner and the declaration. */
export interface Declared<Live extends Present, To extends Change> {
  readonly id: string;
  readonly create: To;
  /** Pure. Says `paused` and `remaining` only to change them. */
  update(live: Live): To;
}

export type Step<To extends Change = Change> =
  | { readonly kind: 'create'; readonly id: string; readonly change: To }
  | { readonly kind: 'update'; readonly id: string; readonly change: To; readonly token: number }
  | { readonly kind: 'unchanged'; readonly id: string; readonly token: number }
  | Refused
  | { readonly kind: 'prune'; readonly id: string; readonly token: number };

/** A schedule that is not the declarer's, and whose it is. */
export interface Refused {
  readonly kind: 'foreign';
  readonly id: string;
  readonly token: number;
  readonly why: Foreign;
  readonly of: Declarer;
}

/** Why a schedule is not the declarer's. */
export type Foreign = 'unowned' | 'otherOwner' | 'otherDeclaration';

/** Undefined: the declarer may change it. */
export function foreignness(of: Declarer, { owner, declaredBy }: Declarer): Foreign | undefined {
  if (owner !== of.owner) return owner === '' ? 'unowned' : 'otherOwner';
  return declaredBy === '' || declaredBy === of.declaredBy ? undefined : 'otherDeclaration';
}

/** Whose a schedule is, for people. */
export function belonging({ why, of }: Refused): string {
  if (why === 'unowned') return 'belongs to no owner';
  return of.declaredBy === ''
    ? `belongs to '${of.owner}'`
    : `belongs to '${of.owner}', declared by ${of.declaredBy}`;
}

export interface PlanOptions {
  readonly takeOver: boolean;
}

export function planStep<Live extends Present, To extends Change>(
  declarer: Declarer,
  declared: Declared<Live, To>,
  live: Live | undefined,
  { takeOver }: PlanOptions = { takeOver: false },
): Step<To> {
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

/** What this declaration made and does not declare any more. */
export function planPrune(
  declarer: Declarer,
  declared: ReadonlySet<string>,
  there: readonly (Declarer & Pick<Present, 'id' | 'token'>)[],
): readonly Step<never>[] {
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

/** Where steps are carried out: in this process, or at a server. Each holds only for the token that was read. */
export interface DeclarationPort<To extends Change> {
  create(id: string, change: To): Promise<void>;
  update(id: string, change: To, token: number): Promise<void>;
  prune(id: string, token: number): Promise<void>;
}

export type StepOutcome =
  | { readonly ok: true }
  /** `moved`: another caller changed, created or deleted it since it was read. */
  | { readonly ok: false; readonly moved: boolean; readonly error: unknown };

/** Refusals are outcomes; the caller decides what becomes of them. */
export async function applyStep<To extends Change>(
  port: DeclarationPort<To>,
  step: Step<To>,
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

/** Errors of the service and of the client say it by the same name. */
function reasonOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'reason' in error ? error.reason : undefined;
}
