/** The words of an audit entry. Pure. */
import type { AuditJson } from 'carillon/client';

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
  saveView: 'saved a view',
  removeView: 'removed a view',
};

export function actionText(action: string): string {
  return words[action] ?? action;
}

/** A creation and a trigger change no field that is worth listing. */
export function diffOf(entry: AuditJson): readonly FieldChange[] {
  if (entry.action === 'create') return [];
  const { changes } = entry as AuditJson & { readonly changes?: readonly FieldChange[] };
  return changes ?? [];
}

const longest = 60;

export function shortValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
