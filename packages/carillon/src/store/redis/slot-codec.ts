/**
 * How a ledger row is stored in Redis: a member of the execution's sorted set, whose score is the nominal time. The cause comes
 * first, so that rows of one nominal time are in the order of their causes; then the nominal time again, because a member
 * occurs in a set only once, under one score. The other times are distances from it: Redis keeps short members in a
 * compact form.
 */
import type { Instant } from '../../base/time.ts';
import { StoreError } from '../error.ts';
import type { SlotRow } from '../records.ts';
import { escapeText, optionalText, textOrNull, unescapeText } from './text.ts';

export function slotMember(slot: SlotRow): string {
  const reach = slot.until === slot.nominal ? '' : slot.until - slot.nominal;
  const count = slot.count === 1 ? '' : slot.count;
  return `${escapeText(slot.cause)}\0${slot.nominal.toString(36)}\0${reach}\0${slot.at - slot.nominal}\0${count}\0${escapeText(slot.verdict)}\0${optionalText(slot.runId)}\0${optionalText(slot.detail)}`;
}

/** Decodes slots as the scripts return them: member and nominal time in turn. */
export function slotsOf(incarnation: string, values: readonly string[]): SlotRow[] {
  const rows: SlotRow[] = [];
  for (let i = 0; i + 1 < values.length; i += 2) {
    rows.push(slotOf(incarnation, values[i] as string, Number(values[i + 1])));
  }
  return rows;
}

function slotOf(incarnation: string, member: string, nominal: number): SlotRow {
  const fields = member.split('\0');
  if (fields.length !== 8) {
    throw new StoreError(
      'corrupt',
      `a slot of ${incarnation} is not what was written: ${JSON.stringify(member)}`,
    );
  }
  const field = (i: number) => fields[i] as string;
  return {
    incarnation,
    cause: unescapeText(field(0)),
    nominal: nominal as Instant,
    until: (nominal + Number(field(2))) as Instant,
    count: field(4) === '' ? 1 : Number(field(4)),
    verdict: unescapeText(field(5)),
    at: (nominal + Number(field(3))) as Instant,
    runId: textOrNull(field(6)),
    detail: textOrNull(field(7)),
  };
}
