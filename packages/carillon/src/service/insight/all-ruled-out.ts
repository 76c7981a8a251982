/** The times that the stored definitions of a schedule rule out, each by the one that was in force. */
import type { Instant } from '../../base/time.ts';
import type { SlicedWork } from '../spec-search.ts';
import type { HistoryOf, Span } from './history-material.ts';
import { versionSpans } from './history-material.ts';
import type { RuledOut, RuledOutTimes } from './ruled-out.ts';
import { ruledOutIn } from './ruled-out.ts';

/** Times between the creation of the schedule and its end. */
export async function allRuledOut(
  history: HistoryOf,
  query: Span & { readonly limit: number },
  work: SlicedWork,
): Promise<RuledOutTimes> {
  const from = Math.max(query.from, history.row.createdAt) as Instant;
  const to = Math.min(query.to, history.row.closedAt ?? query.to) as Instant;
  const times: RuledOut[] = [];
  let truncated = false;
  for (const span of versionSpans(history, { from, to })) {
    const { definition } = span.version;
    const found = await ruledOutIn(definition, span, query.limit - times.length, work);
    times.push(...found.times);
    truncated ||= found.truncated;
  }
  return { times, truncated };
}
