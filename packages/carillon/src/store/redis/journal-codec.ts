/** How audit rows are stored in Redis. */
import type { Instant } from '../../base/time.ts';
import type { AuditRow } from '../records.ts';
import { escapeText, optionalText, textOrNull, unescapeText } from './text.ts';

export function targetText(namespace: string, target: string): string {
  return `${escapeText(namespace)}\0${escapeText(target)}`;
}

export function auditValue(row: AuditRow): string {
  const texts = [row.namespace, row.target, row.actor, row.door, row.action, row.note].map(escapeText);
  return [row.at, ...texts, optionalText(row.before), optionalText(row.after)].join('\0');
}

export function auditOf(value: string): AuditRow {
  const fields = value.split('\0');
  const text = (i: number) => unescapeText(fields[i] ?? '');
  return {
    namespace: text(1),
    target: text(2),
    at: Number(fields[0]) as Instant,
    actor: text(3),
    door: text(4),
    action: text(5),
    note: text(6),
    before: textOrNull(fields[7] ?? ''),
    after: textOrNull(fields[8] ?? ''),
  };
}
