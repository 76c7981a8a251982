/** The words of an audit entry. Pure. */
import type { AuditJson } from 'carillon/client';
import { lengthText } from '../time/text.ts';

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
  createKey: 'made an API key,',
  revokeKey: 'revoked the API key',
  createNamespace: 'created the namespace',
  updateNamespace: 'changed the namespace',
  saveView: 'saved a view',
  removeView: 'removed a view',
};

export function actionText(action: string): string {
  return words[action] ?? action;
}

/** What the action itself says, and what follows from it, is not told again. */
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

const longest = 60;

/** Lengths are stored in milliseconds. */
export function shortValue(value: unknown, path = ''): string {
  if (path.endsWith('Ms') && typeof value === 'number') return lengthText(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
