/** The view of an audit row: without the secret values of definitions, and without the hashes of keys. */
import { redactAction } from '../action/redaction.ts';
import { auditTarget } from '../scheduler/audit.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { AuditRow } from '../store/records.ts';
import { keyKind } from './stored-keys.ts';

const schedules = auditTarget('');
const keys = `${keyKind}/`;

export function shownAudit(row: AuditRow): AuditRow {
  const { target, before, after } = row;
  if (target.startsWith(schedules))
    return { ...row, before: shownDefinition(before), after: shownDefinition(after) };
  if (target.startsWith(keys)) return { ...row, before: shownKey(before), after: shownKey(after) };
  return row;
}

function shownKey(text: string | null): string | null {
  if (text === null) return null;
  // Written by `StoredKeys`.
  const { hash: _, ...shown } = JSON.parse(text) as { readonly hash: string };
  return JSON.stringify(shown);
}

function shownDefinition(text: string | null): string | null {
  if (text === null) return null;
  // Written by `auditChange`.
  const definition = JSON.parse(text) as Pick<ScheduleDefinition, 'action'>;
  const action = redactAction(definition.action);
  return action === definition.action ? text : JSON.stringify({ ...definition, action });
}
