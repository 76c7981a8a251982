/** Views of ledger and audit rows: with parsed JSON and without internal fields. */
import type { AuditRow, SlotRow } from '../store/records.ts';
import type { FieldChange } from './insight/field-diff.ts';
import { fieldChanges } from './insight/field-diff.ts';

/** A verdict of the slot ledger; equal neighbours share one. */
export interface SlotView extends Omit<SlotRow, 'incarnation' | 'detail'> {
  /** What is known besides: the run that was in the way, the person who paused. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

export function viewSlot({ incarnation: _, ...slot }: SlotRow): SlotView {
  const { detail } = slot;
  return { ...slot, detail: detail === null ? null : (JSON.parse(detail) as SlotView['detail']) };
}

/** A change that a person or a program made. */
export interface AuditView extends Omit<AuditRow, 'before' | 'after'> {
  /** The definition before; null when there was none. */
  readonly before: unknown;
  /** The definition after; null when there is none. */
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
