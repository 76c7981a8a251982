/** The lines of a run, and waiting for more of them. */
import type { Clock } from '../base/clock.ts';
import { pause } from '../base/pause.ts';
import type { Instant } from '../base/time.ts';
import { addTime } from '../base/time.ts';
import { encodeCursor } from '../store/cursor.ts';
import type { LogRow } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { callerGone } from './caller-gone.ts';
import { largestPageBytes } from './limits.ts';
import type { Patience } from './run-watch.ts';

/** One line that an attempt of a run wrote. */
export interface LogLineView {
  readonly attempt: number;
  readonly at: Instant;
  readonly text: string;
}

export interface LogPageQuery {
  /** Only the lines of this attempt. */
  readonly attempt?: number;
  /** The cursor of the previous page. */
  readonly after?: string;
  readonly limit: number;
}

export interface LogPage {
  readonly items: readonly LogLineView[];
  /** The cursor after the last line, also when more lines may come; null before the first one. */
  readonly cursor: string | null;
  /** True when the run has ended and no lines follow. */
  readonly isComplete: boolean;
}

export interface RunLogOptions {
  readonly store: Store;
  readonly clock: Clock;
}

/** Lines of other processes come without a notification, so a waiting reader reads again after this time. */
const readAgainMs = 200;

export class RunLog {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor({ store, clock }: RunLogOptions) {
    this.#store = store;
    this.#clock = clock;
  }

  async page(runId: string, query: LogPageQuery): Promise<LogPage> {
    // The run before its lines: once it has ended, no line is added.
    const { items: runs } = await this.#store.runs({ ids: [runId], limit: 1, payloads: false });
    const { items, next } = await this.#store.logs({ runId, ...query });
    const kept = withinBytes(items);
    const isCut = next !== null || kept.length < items.length;
    const last = kept.at(-1);
    return {
      items: kept.map(({ attempt, at, text }) => ({ attempt, at, text })),
      cursor:
        last === undefined ? (query.after ?? null) : encodeCursor([last.attempt, last.lease, last.place]),
      isComplete: !isCut && (runs[0]?.state ?? 'done') === 'done',
    };
  }

  /** Resolves when there are lines after the cursor, the run has ended, or the wait is over. */
  async next(runId: string, query: LogPageQuery, { forMs, signal }: Patience): Promise<LogPage> {
    const end = addTime(this.#clock.now(), forMs);
    for (;;) {
      const page = await this.page(runId, query);
      const now = this.#clock.now();
      if (page.items.length > 0 || page.isComplete || now >= end) return page;
      await pause(this.#clock, Math.min(readAgainMs, end - now), signal);
      if (signal.aborted) throw callerGone();
    }
  }
}

function withinBytes(rows: readonly LogRow[]): readonly LogRow[] {
  let bytes = 0;
  let count = 0;
  for (const { text } of rows) {
    bytes += text.length;
    if (count > 0 && bytes > largestPageBytes) break;
    count += 1;
  }
  return count === rows.length ? rows : rows.slice(0, count);
}
