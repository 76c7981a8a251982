/**
 * What a change of a saved view, an API key or a namespace would do, read from the entry of the audit log that the
 * change would have written.
 */
import { formatDuration, plainDuration } from '../base/duration.ts';
import { given } from '../base/given.ts';
import type { AuditRow } from '../store/records.ts';
import type { Writes } from '../store/store.ts';
import type { FieldChange } from './insight/field-diff.ts';
import { fieldChanges } from './insight/field-diff.ts';
import type { NamespaceDetails } from './namespaces.ts';
import { rehearse } from './rehearse.ts';
import type { SavedView } from './saved-views.ts';
import type { Caller } from './schedule-service.ts';
import type { StoredKey } from './stored-keys.ts';

export interface RecordEffects {
  /** What would happen, in plain sentences. */
  readonly text: readonly string[];
  /** The fields that would change; none when the record is new or removed. */
  readonly changes: readonly FieldChange[];
}

/** How long the server keeps finished runs, in ms. */
export interface ServerRetention {
  readonly finishedRuns: number;
}

/** What `change` would do; it is called with a caller under whose name nothing is written. */
export async function recordEffects(
  by: Caller,
  change: (by: Caller) => Promise<unknown>,
  retention: ServerRetention,
): Promise<RecordEffects> {
  return recordEffectsOf(await rehearse(by, change), retention);
}

interface Change<T> {
  readonly action: string;
  readonly name: string;
  /** Undefined: there is none. */
  readonly before: T | undefined;
  readonly after: T | undefined;
}

export function recordEffectsOf({ audit = [] }: Writes, retention: ServerRetention): RecordEffects {
  const [entry] = audit;
  const told = entry === undefined ? undefined : toldOf(entry, retention);
  if (told === undefined || told.text.length === 0) return { text: ['Nothing changes.'], changes: [] };
  return told;
}

function toldOf(entry: AuditRow, retention: ServerRetention): RecordEffects {
  const { target } = entry;
  const kind = target.slice(0, target.indexOf('/'));
  switch (kind) {
    case 'view':
      return viewEffects(changeOf(entry));
    case 'apiKey':
      return { text: keyText(changeOf(entry)), changes: [] };
    default:
      return namespaceEffects(changeOf(entry), retention);
  }
}

function changeOf<T>({ action, target, before, after }: AuditRow): Change<T> {
  const read = (json: string | null) => (json === null ? undefined : (JSON.parse(json) as T));
  return { action, name: target.slice(target.indexOf('/') + 1), before: read(before), after: read(after) };
}

function viewEffects({ name, before, after }: Change<SavedView>): RecordEffects {
  if (before === undefined) return { text: [`The view '${name}' is saved.`], changes: [] };
  const known = `The view '${name}', which ${before.savedBy} saved,`;
  if (after === undefined)
    return { text: [`${known} is removed for every user of the namespace.`], changes: [] };
  const shown = ({ place, query }: SavedView) => ({ place, query });
  const changes = fieldChanges(shown(before), shown(after));
  return { text: [changes.length === 0 ? `${known} stays as it is.` : `${known} is replaced.`], changes };
}

function keyText({ name, before, after }: Change<StoredKey>): readonly string[] {
  const key = after ?? before;
  if (key === undefined) return [];
  const where = key.namespaces === null ? 'all namespaces' : key.namespaces.join(', ');
  const words = `'${name}' with the role ${key.role} for ${where}`;
  return after === undefined
    ? [`The key ${words} is revoked: callers that use it are refused.`]
    : [`A key ${words} is made.`];
}

function namespaceEffects(
  { action, name, before, after }: Change<NamespaceDetails>,
  retention: ServerRetention,
): RecordEffects {
  if (after === undefined) return { text: [`The namespace '${name}' is removed.`], changes: [] };
  const kept = ({ retentionMs }: Partial<NamespaceDetails> = {}) =>
    Math.min(retentionMs ?? Number.POSITIVE_INFINITY, retention.finishedRuns);
  if (action === 'createNamespace') {
    const keeps = after.retentionMs === undefined ? [] : [keptSentence(kept(after), after.retentionMs)];
    return { text: [`The namespace '${name}' is registered.`, ...keeps], changes: [] };
  }
  const changes = fieldChanges(shownNamespace(before), shownNamespace(after));
  if (changes.length === 0) return { text: [], changes };
  const isRetention = changes.some(({ path }) => path === 'retention');
  const text = [
    ...(isRetention ? [keptSentence(kept(after), after.retentionMs, kept(before))] : []),
    `Changes ${changes.map(({ path }) => path).join(', ')}.`,
  ];
  return { text, changes };
}

/** The fields as callers of the API write them. A namespace may exist without ever having been registered. */
function shownNamespace({
  description = '',
  ownerEmail = '',
  isDeprecated = false,
  retentionMs,
}: Partial<NamespaceDetails> = {}) {
  return {
    description,
    ownerEmail,
    isDeprecated,
    ...given({ retention: retentionMs === undefined ? undefined : formatDuration(retentionMs) }),
  };
}

/** `asked` is what the namespace asks for; undefined: it keeps its runs as the server does. */
function keptSentence(after: number, asked: number | undefined, before = after): string {
  const limit =
    asked === undefined ? ', as the server says' : after < asked ? ': the server keeps none longer' : '';
  const kept = `Finished runs are kept ${keptFor(after)}`;
  if (before === after) return `${kept}${limit}.`;
  const removed = after < before ? ': older ones are removed' : limit;
  const was = Number.isFinite(before) ? ` instead of ${plainDuration(before)}` : '';
  return `${kept}${was}${removed}.`;
}

function keptFor(length: number): string {
  return Number.isFinite(length) ? `for ${plainDuration(length)}` : 'for ever';
}
