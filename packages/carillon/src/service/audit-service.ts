/** The audit log of a namespace: who changed what. */
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import type { AuditRow } from '../store/records.ts';
import type { Page, Store } from '../store/store.ts';
import { shownAudit } from './audit-view.ts';
import { largestPage, largestPageBytes } from './limits.ts';

export interface AuditFilters {
  readonly namespace: string;
  /** `schedule/nightly`, `run/<id>`. */
  readonly target?: string;
  readonly actor?: string;
  readonly door?: string;
  readonly action?: string;
  /** The range of times, both ends included. */
  readonly from?: Instant;
  readonly to?: Instant;
  readonly after?: string;
  readonly limit: number;
}

/** The most rows examined for one page. The answer has a cursor, so that a rare match does not make a request slow. */
const mostExamined = 10_000;

/** The rows read at once; each may hold two definitions. */
const mostRead = 50;

/** The approximate stored size of a change, in bytes. */
export function auditBytes({ note, before, after }: AuditRow): number {
  return 200 + note.length + (before?.length ?? 0) + (after?.length ?? 0);
}

export class AuditService {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Lists changes, newest first. A page may be short or empty and still have a `next`. */
  async list(filters: AuditFilters): Promise<Page<AuditRow>> {
    const { namespace, target, from } = filters;
    const limit = Math.min(filters.limit, largestPage);
    const items: AuditRow[] = [];
    let { after } = filters;
    let bytes = 0;
    for (let examined = 0; ; ) {
      // Read no more rows than still fit, because a cursor is only valid at the end of a read.
      const page = await this.#store.audit({
        namespace,
        limit: Math.min(limit - items.length, mostRead),
        ...given({ target, after }),
      });
      items.push(...page.items.filter((row) => matches(row, filters)).map(shownAudit));
      examined += page.items.length;
      for (const row of page.items) bytes += auditBytes(row);
      const isPast = from !== undefined && page.items.some(({ at }) => at < from);
      if (page.next === null || isPast) return { items, next: null };
      if (items.length >= limit || examined >= mostExamined || bytes >= largestPageBytes)
        return { items, next: page.next };
      after = page.next;
    }
  }
}

function matches({ at, actor, door, action }: AuditRow, wanted: AuditFilters): boolean {
  return (
    (wanted.actor === undefined || actor === wanted.actor) &&
    (wanted.door === undefined || door === wanted.door) &&
    (wanted.action === undefined || action === wanted.action) &&
    (wanted.from === undefined || at >= wanted.from) &&
    (wanted.to === undefined || at <= wanted.to)
  );
}
