/**
 * Reads from the audit what changed about schedules. The audit only grows at its end, so what was read is kept, and a later
 * request reads what is new.
 */
import { given } from '../../base/given.ts';
import { nextTurn } from '../../base/next-turn.ts';
import { InOrder } from '../../base/service.ts';
import type { Instant } from '../../base/time.ts';
import { minute } from '../../base/time.ts';
import type { Store } from '../../store/store.ts';
import type { KeptBounds, PastPause, SpecChange } from './known-changes.ts';
import { KnownChanges } from './known-changes.ts';

export interface KnownPast {
  readonly pauses: readonly PastPause[];
  /** The changes of specs by schedule, the newest first; only those with exclusions before or after them. */
  readonly changes: ReadonlyMap<string, readonly SpecChange[]>;
  /** The time from which all of them are known; null when all in the asked range are known. */
  readonly knownFrom: Instant | null;
}

export interface PastQuery {
  readonly namespace: string;
  /** The pauses that ended, and the specs that changed, at or after this time are read. */
  readonly from: Instant;
  readonly now: Instant;
}

export interface PastBounds extends KeptBounds {
  /** The most newer rows, and the most older ones, that one request reads; the next request goes on from there. */
  readonly rowsPerRequest: number;
}

const defaultBounds: PastBounds = { rowsPerRequest: 20_000, kept: 20_000, text: 4_000_000 };
/** The rows of one read; each may hold two definitions. */
const rowsPerTurn = 100;
/** Namespaces that are kept. */
const mostNamespaces = 20;
/** Nodes write at the same time: what commits after a request has read may be a little older than the request. */
const overlap = minute;

/** Where reading backwards goes on: the time that was reached, and the cursor; null at the end of the audit. */
interface ReadPosition {
  readonly reached: number;
  readonly next: string | null | undefined;
}

const top: ReadPosition = { reached: Number.POSITIVE_INFINITY, next: undefined };

/** What is kept of one namespace. */
class Known {
  readonly found = new KnownChanges();
  place = top;
  readAt = Number.NEGATIVE_INFINITY;
  /** Requests read one after the other: each relies on what the ones before it have read. */
  readonly order = new InOrder();
}

export interface PastChangesOptions {
  readonly store: Store;
  /** How long retention keeps rows of the audit, in ms. */
  readonly auditKeptMs: number;
  readonly bounds?: PastBounds;
}

export class PastChanges {
  readonly #options: PastChangesOptions;
  readonly #bounds: PastBounds;
  readonly #known = new Map<string, Known>();

  constructor(options: PastChangesOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? defaultBounds;
  }

  async since({ namespace, from, now }: PastQuery): Promise<KnownPast> {
    const known = this.#of(namespace);
    return await known.order.run(async () => {
      await this.#read(known, { namespace, from, now });
      known.found.forgetOldest(this.#bounds);
      const knownFrom = Math.max(
        known.place.next === null ? Number.NEGATIVE_INFINITY : known.place.reached,
        known.found.forgotten,
        now - this.#options.auditKeptMs,
      );
      return {
        pauses: known.found.pausesSince(from),
        changes: known.found.changesSince(from),
        knownFrom: knownFrom >= from ? (knownFrom as Instant) : null,
      };
    });
  }

  async #read(known: Known, { namespace, from, now }: PastQuery): Promise<void> {
    const { store } = this.#options;
    const readBack = async (start: ReadPosition, until: number): Promise<ReadPosition> => {
      let place = start;
      let left = this.#bounds.rowsPerRequest;
      while (place.next !== null && place.reached >= until && left > 0) {
        const limit = Math.min(rowsPerTurn, left);
        const { items, next } = await store.audit({ namespace, limit, ...given({ after: place.next }) });
        for (const row of items) known.found.note(row);
        left -= limit;
        place = { reached: items.at(-1)?.at ?? place.reached, next };
        await nextTurn();
      }
      return place;
    };
    if (known.place !== top) {
      const joint = known.readAt - overlap;
      const front = await readBack(top, joint);
      // So much is new that it leaves a gap: reading goes on there, and comes to the older rows again.
      if (front.next !== null && front.reached >= joint) known.place = front;
    }
    known.place = await readBack(known.place, Math.max(from, known.found.forgotten));
    known.readAt = now;
  }

  #of(namespace: string): Known {
    const known = this.#known.get(namespace);
    if (known !== undefined) return known;
    if (this.#known.size >= mostNamespaces) this.#known.clear();
    const fresh = new Known();
    this.#known.set(namespace, fresh);
    return fresh;
  }
}
