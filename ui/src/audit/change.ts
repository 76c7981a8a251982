/** The words of an audit entry. Pure. */
import type { AuditJson } from 'carillon/client';
import { afterFailures } from '../schedule/own-rule.ts';
import { lengthText } from '../time/text.ts';
import { dayMs, hourMs, instantOf } from '../time/zone.ts';

export interface FieldChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const words: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  patch: 'changed',
  pause: 'paused',
  resume: 'resumed',
  trigger: 'triggered',
  backfill: 'backfilled',
  cancelBackfill: 'cancelled a backfill of',
  delete: 'deleted',
  release: 'released from quarantine',
  cancel: 'cancelled',
  terminate: 'terminated',
  deploy: 'deployed',
  enqueue: 'queued',
  again: 'started again',
  createKey: 'made an API key,',
  revokeKey: 'revoked the API key',
  createNamespace: 'created the namespace',
  updateNamespace: 'changed the namespace',
  deleteNamespace: 'deleted the namespace',
  saveView: 'saved a view',
  removeView: 'removed a view',
  skip: 'skipped an event of',
  'resolve: happened': 'answered “it happened” to',
  'resolve: didNotHappen': 'answered “it did not happen” to',
  'resolve: tryAgain': 'had a change asked about again in',
  'resolve: skip': 'skipped a change of',
};

export function actionText(action: string): string {
  return words[action] ?? action;
}

/** What a change of a workflow was about: the producer or consumer that was triggered, the event that was skipped. */
export function subjectOf({ target, after }: Pick<AuditJson, 'target' | 'after'>): string | undefined {
  if (!target.startsWith('host/') || typeof after !== 'object' || after === null) return undefined;
  const { producer, consumer, topic, id } = after as Readonly<Record<string, unknown>>;
  if (typeof producer === 'string') return `producer ${producer}`;
  if (typeof consumer === 'string') return `consumer ${consumer}`;
  return typeof topic === 'string' && typeof id === 'string' ? `${id} of ${topic}` : undefined;
}

/** What an API key may do, as its row in the audit says it. */
export function keyText({ before, after }: Pick<AuditJson, 'before' | 'after'>): string | undefined {
  const key = after ?? before;
  if (typeof key !== 'object' || key === null) return undefined;
  const { role, namespaces } = key as Readonly<Record<string, unknown>>;
  const where = Array.isArray(namespaces) ? namespaces.join(', ') : 'all namespaces';
  return `${String(role)} of ${where}`;
}

const doors: Readonly<Record<string, string>> = {
  '': 'the program itself',
  embed: 'the program itself',
  rest: 'the API',
  page: 'this page',
  cli: 'the command line',
  temporal: 'the Temporal API',
  conductor: 'the Conductor API',
  periodic: 'its declaration as a periodic task',
  deploy: 'a deploy',
};

/** The door of a change, for people. */
export function doorText(door: string): string {
  return doors[door] ?? door;
}

/** The texts for callers that gave no name. */
const actors: Readonly<Record<string, string>> = {
  page: 'A person on this page',
  local: 'A caller without a name',
  policy: 'A rule of the schedule',
};

export function actorText(actor: string): string {
  return actors[actor] ?? actor;
}

/** What was given as the reason. A schedule that paused itself has a note that names only its last run; its rule says more. */
export function reasonOf({
  actor,
  action,
  note,
  before,
}: Pick<AuditJson, 'actor' | 'action' | 'note' | 'before'>): string {
  if (actor !== 'policy' || action !== 'pause') return note === '' ? '' : `“${note}”`;
  const { policy } = (before ?? {}) as { readonly policy?: { readonly pauseAfterFailures?: number } };
  return afterFailures(policy?.pauseAfterFailures);
}

const fieldNames: Readonly<Record<string, string>> = {
  'spec.cron': 'Cron',
  'spec.zone': 'Zone',
  'spec.intervals': 'Every',
  'spec.rrule': 'Rule',
  'spec.exclude': 'Exclusions',
  'spec.startAt': 'Not before',
  'spec.endAt': 'Not after',
  'spec.jitterMs': 'Jitter',
  'policy.overlap': 'Overlap',
  'policy.limit': 'Runs at once',
  'policy.outstanding': 'Unfinished runs',
  'policy.catchupWindowMs': 'Catch-up',
  'policy.catchupPaceMs': 'Pace of catch-up',
  'policy.missed': 'Missed slots',
  'policy.missedLimit': 'Missed slots that run',
  'policy.pauseAfterFailures': 'Pause after failures',
  'policy.idleCloseMs': 'Close when idle',
  'action.name': 'Handler',
  'action.queue': 'Queue',
  'action.input': 'Input',
  'action.priority': 'Priority',
  'action.settings.attemptTimeoutMs': 'Longest attempt',
  'action.settings.executionTimeoutMs': 'Longest run',
  'action.settings.unclaimedMs': 'Longest wait for a worker',
  'action.settings.retry.attempts': 'Attempts',
  remaining: 'Actions left',
  retentionMs: 'Keeps runs',
  ownerEmail: 'Mail of the owner',
  isDeprecated: 'Deprecated',
  owner: 'Owner',
  tags: 'Tags',
  description: 'Description',
  note: 'Note',
};

/** The field of a change as the page calls it; a field without a name here is shown by its path. */
export function fieldText(path: string): string {
  return fieldNames[path] ?? path;
}

/** Fields that an action implies and that are not listed again. */
const told: Readonly<Record<string, readonly string[]>> = {
  pause: ['paused', 'note'],
  resume: ['paused', 'note'],
};
const derived = ['replacedAt', 'timeZoneVersion', 'seed'];

export function diffOf(
  entry: Pick<AuditJson, 'action'> & { readonly changes?: readonly FieldChange[] },
): readonly FieldChange[] {
  if (entry.action === 'create') return [];
  const left = [...derived, ...(told[entry.action] ?? [])];
  return (entry.changes ?? []).filter(({ path }) => !left.includes(path));
}

/** The id of the changed thing when it is of that kind; otherwise undefined. */
export function targetOf(target: string, kind: string): string | undefined {
  return target.startsWith(kind) ? target.slice(kind.length) : undefined;
}

/** A range of the timeline with the moment in its middle, so that the pennant of the change is in view. */
export function aroundOf(at: number): { readonly from: string; readonly to: string } {
  return { from: new Date(at - 6 * hourMs).toISOString(), to: new Date(at + 6 * hourMs).toISOString() };
}

const longest = 60;

/** A stored value as a person writes it: lengths and moments are stored in milliseconds, texts of cron in a list of objects. */
export function shortValue(value: unknown, path = ''): string {
  const text = writtenValue(value, path);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function writtenValue(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (path.endsWith('Ms')) return lengthText(value);
    return /(At|times)$/.test(path) ? new Date(value).toISOString().replace('.000Z', 'Z') : String(value);
  }
  const entries = Array.isArray(value) ? value.map((each) => entryText(each, path)) : [undefined];
  return entries.length > 0 && entries.every((each) => each !== undefined)
    ? entries.join(', ')
    : JSON.stringify(value);
}

/** Undefined for an entry that only JSON can show. */
function entryText(entry: unknown, path: string): string | undefined {
  if (typeof entry !== 'object' || entry === null) return writtenValue(entry, path);
  const { text, dialect, everyMs, ...rest } = entry as Readonly<Record<string, unknown>>;
  if (Object.keys(rest).length > 0) return undefined;
  if (typeof text === 'string') return dialect === undefined ? text : `${text} (${String(dialect)})`;
  return typeof everyMs === 'number' ? `every ${lengthText(everyMs)}` : undefined;
}

/** The days of an address as a range of times, both days included. Another text is ignored. */
export function daysOf(
  zone: string,
  first: string | undefined,
  last: string | undefined,
): { readonly from?: string; readonly to?: string } {
  const [from, to] = [localDay(first), localDay(last)];
  const text = (at: number) => new Date(at).toISOString();
  return {
    ...(from === undefined ? {} : { from: text(instantOf(zone, from)) }),
    ...(to === undefined ? {} : { to: text(instantOf(zone, to + dayMs) - 1) }),
  };
}

/** A text as a field for days takes it: empty for another text. */
export function dayOf(text: string | undefined): string {
  return localDay(text) === undefined ? '' : (text ?? '');
}

/** The midnight of the day, as if it were UTC; undefined for another text. */
function localDay(text: string | undefined): number | undefined {
  const day = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(day) ? undefined : day;
}
