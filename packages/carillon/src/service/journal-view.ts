/** Views of ledger and audit rows: with parsed JSON and without internal fields. */
import type { AuditRow, SlotRow } from '../store/records.ts';

export interface SlotView extends Omit<SlotRow, 'incarnation' | 'detail'> {
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export function viewSlot({ incarnation: _, ...slot }: SlotRow): SlotView {
  const { detail } = slot;
  return { ...slot, detail: detail === null ? null : (JSON.parse(detail) as SlotView['detail']) };
}

export interface AuditView extends Omit<AuditRow, 'before' | 'after'> {
  readonly before: unknown;
  readonly after: unknown;
}

export function viewAudit({ before, after, ...entry }: AuditRow): AuditView {
  return { ...entry, before: opened(before), after: opened(after) };
}

function opened(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
