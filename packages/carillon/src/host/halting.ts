/** A workflow halts when a person pauses it or the host blocks it, and goes on when neither is left. */
import type { Instant } from '../base/time.ts';
import { judgeDueTimes } from './due-times.ts';
import type { Block, HostNode, PauseNote } from './host.ts';
import { change, isHalted } from './host.ts';
import { proceed } from './proceed.ts';

export function halt(host: HostNode, why: { readonly paused?: PauseNote; readonly block?: Block }): void {
  const { haltedAt } = host.state;
  change(host, { ...why, haltedAt: haltedAt ?? host.now });
  for (const [name, producer] of host.children('producers')) judgeDueTimes(host, name, producer);
  const { block } = why;
  if (block === undefined) return;
  const { kind, runId, message } = block;
  host.report({ type: 'hostBlocked', kind, runId, message, handler: host.state.work?.handler ?? '' });
}

/** Ends the pause, the block, or both. Due times of the halt get the verdict `paused`; work that waits is considered at once. */
export function goOn(
  host: HostNode,
  ends: { readonly paused?: null; readonly block?: null },
  by: { readonly actor: string; readonly note: string },
): void {
  const { haltedAt, block, paused } = host.state;
  if (haltedAt === null) return;
  if (ends.block === null && block !== null) host.report({ type: 'hostUnblocked', by: by.actor });
  change(host, ends);
  if (isHalted(host.state)) return;
  const since = haltedAt as Instant;
  const note = block?.message ?? paused?.note ?? '';
  const era = { since, until: host.now, rule: 'paused' as const, by: paused?.by ?? 'host', note };
  change(host, { haltedAt: null });
  proceed(host);
  for (const [name, producer] of host.children('producers')) {
    producer.set({ ...producer.state, eras: [...producer.state.eras, era] });
    judgeDueTimes(host, name, producer);
  }
  proceed(host);
}
