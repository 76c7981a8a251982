/**
 * The rule by which a door changes a definition that another door may have made.
 *
 * A client reads a schedule, changes one thing and sends everything back. The client read a translation, so its
 * update is compared with that translation, aspect by aspect:
 * - an aspect that comes back unchanged keeps its stored value exactly;
 * - a changed aspect is replaced, unless the stored one holds something that the door cannot express. The client
 *   could not see that and cannot mean to remove it, so the update is refused, and the refusal names an API that can
 *   do it.
 */
import { ServiceError } from '../base/error.ts';
import { given } from '../base/given.ts';
import { isSameJson } from '../base/same-json.ts';
import type { DoorWords, Origin, ScheduleAction, ScheduleDefinition } from '../scheduler/definition.ts';
import type { DefinitionDraft } from './definition-draft.ts';

export interface Aspect<T> {
  /** The name of the aspect for the reader, such as `spec`. */
  readonly name: string;
  readonly stored: T;
  /** Whether the aspect came back as the door showed it. */
  readonly isUnchanged: boolean;
  /** The parts of the stored value that this door cannot express, in the reader's terms; empty when there are none. */
  readonly inexpressible: readonly string[];
  readonly replacement: () => T;
}

/** The value to store after the update. Throws a `failedPrecondition` error when the update would lose something. */
export function writtenBack<T>({ name, stored, isUnchanged, inexpressible, replacement }: Aspect<T>): T {
  if (isUnchanged) return stored;
  if (inexpressible.length === 0) return replacement();
  throw new ServiceError({
    code: 'failedPrecondition',
    reason: 'NOT_SAYABLE_HERE',
    message:
      `this update would lose part of the schedule's ${name} (${inexpressible.join(', ')}), which this protocol cannot express: ` +
      `send the ${name} back as it was described, or change it through the REST API or with 'carillon schedule update'`,
  });
}

/**
 * A draft replaces the words of its own door (the native door has none: the fields of a schedule express everything) and
 * keeps those of other doors for every unchanged part, and of an unchanged action the parts that fields cannot express.
 */
export function keepOtherWords(before: ScheduleDefinition, draft: DefinitionDraft): DefinitionDraft {
  const isSame = isSameJson(said(before.action), said(draft.action));
  const after = isSame ? { ...draft, action: before.action } : draft;
  const { origin: _, ...rest } = after;
  return { ...rest, ...given({ origin: originAfter(before, after) }) };
}

/** The part of an action that the fields of a schedule express. */
function said({ findable: _, settings, ...action }: ScheduleAction): object {
  const { leaseMs: __, memo: ___, sent: ____, ...rest } = settings;
  return { ...action, settings: rest };
}

/** Parts of a definition of which a door may keep its own form; that form is valid until the part changes. */
const partsOfOrigin = ['spec', 'action', 'memo', 'attributes'] as const;

function originAfter(before: ScheduleDefinition, after: DefinitionDraft): Origin | undefined {
  if (before.origin === undefined) return after.origin;
  const changed = new Set<string>(partsOfOrigin.filter((part) => !isSameJson(before[part], after[part])));
  // A number of actions without effect may be stored; a limit with an effect replaces it.
  if (after.remaining !== undefined && after.remaining !== before.remaining) changed.add('state');
  const kept = Object.entries(before.origin).map(([door, words]) => [door, without(words, changed)] as const);
  const origin = { ...Object.fromEntries(kept), ...after.origin };
  const said = Object.entries(origin).filter(([, words]) => Object.keys(words).length > 0);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

function without(words: DoorWords, parts: ReadonlySet<string>): DoorWords {
  return Object.fromEntries(Object.entries(words).filter(([part]) => !parts.has(part)));
}
