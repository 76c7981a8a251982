/** How events and audit rows are stored in Redis. */
import type { Instant } from '../../base/time.ts';
import type { AuditRow, EventRow } from '../records.ts';
import { escapeText, optionalText, textOrNull, unescapeText } from './text.ts';

/** The value without the sequence number, which the commit script adds in front. */
export function eventMember(event: EventRow): string {
  return `${event.at}\0${escapeText(event.key)}\0${event.data}`;
}

export function eventOf(topic: string, member: string): EventRow {
  const [sequence, at, key] = member.split('\0', 3) as [string, string, string];
  return {
    sequence: Number(sequence),
    topic,
    key: unescapeText(key),
    at: Number(at) as Instant,
    data: member.slice(sequence.length + at.length + key.length + 3),
  };
}

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
