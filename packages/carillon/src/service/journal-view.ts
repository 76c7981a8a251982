/** Views of ledger and audit rows: with parsed JSON and without internal fields. */
import type { AuditRow, SlotRow } from '../store/records.ts';
import type { FieldChange } from './insight/field-diff.ts';
import { fieldChanges } from './insight/field-diff.ts';

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
  /** The fields that differ; empty when the change made, removed or kept the whole. */
  readonly changes: readonly FieldChange[];
}

export function viewAudit({ before, after, ...entry }: AuditRow): AuditView {
  const [one, other] = [opened(before), opened(after)];
  const changes = one === null || other === null ? [] : fieldChanges(one, other);
  return { ...entry, before: one, after: other, changes };
}

function opened(text: string | null): unknown {
  return text === null ? null : (JSON.parse(text) as unknown);
}
