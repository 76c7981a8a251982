/** The view of an audit row, with the secret values of its definitions redacted. */
import { redactAction } from '../action/redaction.ts';
import { auditTarget } from '../scheduler/audit.ts';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import type { AuditRow } from '../store/records.ts';

const schedules = auditTarget('');

export function shownAudit(row: AuditRow): AuditRow {
  if (!row.target.startsWith(schedules)) return row;
  return { ...row, before: shownDefinition(row.before), after: shownDefinition(row.after) };
}

function shownDefinition(text: string | null): string | null {
  if (text === null) return null;
  // Written by `auditChange`.
  const definition = JSON.parse(text) as Pick<ScheduleDefinition, 'action'>;
  const action = redactAction(definition.action);
  return action === definition.action ? text : JSON.stringify({ ...definition, action });
}
