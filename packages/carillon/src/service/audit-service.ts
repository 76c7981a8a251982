/** Who changed what, over everything in a namespace. */
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
  /** Both included. */
  readonly from?: Instant;
  readonly to?: Instant;
  readonly after?: string;
  readonly limit: number;
}

/** Rows looked at for one page; the answer says where to go on, so that a rare match holds no request for long. */
const mostExamined = 10_000;

/** Rows read at once: each may hold two definitions. */
const mostRead = 50;

/** Bytes of what is stored for a change, roughly. */
export function auditBytes({ note, before, after }: AuditRow): number {
  return 200 + note.length + (before?.length ?? 0) + (after?.length ?? 0);
}

export class AuditService {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Newest first. A page may be short, or empty, and still have a `next`. */
  async list(filters: AuditFilters): Promise<Page<AuditRow>> {
    const { namespace, target, from } = filters;
    const limit = Math.min(filters.limit, largestPage);
    const items: AuditRow[] = [];
    let { after } = filters;
    let bytes = 0;
    for (let examined = 0; ; ) {
      // Never more than still fit, because a cursor stands only at the end of what was read.
      const page = await this.#store.audit({
        namespace,
        limit: Math.min(limit - items.length, mostRead),
        ...(target === undefined ? {} : { target }),
        ...(after === undefined ? {} : { after }),
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
