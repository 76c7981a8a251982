/** Reads the audit. It is found by namespace and target together, or by walking back from the newest row. */
import { decodeCursor, pageOf } from '../cursor.ts';
import type { AuditRow } from '../records.ts';
import type { AuditQuery, Page } from '../store.ts';
import type { Connection } from './connection.ts';
import { auditOf, targetText } from './journal-codec.ts';

const piece = 500;

interface Entry {
  readonly sequence: number;
  readonly row: AuditRow;
}

export class JournalRows {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async audit(query: AuditQuery): Promise<Page<AuditRow>> {
    const { namespace, target, limit } = query;
    const found: Entry[] = [];
    for await (const entries of this.#newestFirst(query)) {
      for (const entry of entries) {
        const isAsked =
          (namespace === undefined || entry.row.namespace === namespace) &&
          (target === undefined || entry.row.target === target);
        if (isAsked) found.push(entry);
      }
      if (found.length > limit) break;
    }
    const { items, next } = pageOf(found.slice(0, limit + 1), limit, ({ sequence }) => [sequence]);
    return { items: items.map(({ row }) => row), next };
  }

  async *#newestFirst({ namespace, target, after, limit }: AuditQuery): AsyncGenerator<readonly Entry[]> {
    const isIndexed = namespace !== undefined && target !== undefined;
    const set = isIndexed ? `audit-of:${targetText(namespace, target)}` : 'audit-order';
    const isBare = isIndexed || (namespace === undefined && target === undefined);
    const size = isBare ? Math.min(limit + 1, piece) : piece;
    let before = after === undefined ? '+inf' : `(${decodeCursor(after, ['number'])[0]}`;
    for (;;) {
      const members = await this.#connection.call((client, key) =>
        client.zrevrangebyscore(key(set), before, '-inf', 'LIMIT', 0, size),
      );
      const sequences = members.map((member) => (isIndexed ? member : (member.split('\0')[1] as string)));
      yield await this.#rows(sequences);
      if (members.length < size) return;
      before = `(${sequences.at(-1)}`;
    }
  }

  async #rows(sequences: readonly string[]): Promise<readonly Entry[]> {
    if (sequences.length === 0) return [];
    const values = await this.#connection.call((client, key) => client.hmget(key('audit'), ...sequences));
    // Retention may have removed a row since its number was read.
    return sequences.flatMap((sequence, i) => {
      const value = values[i];
      return value == null ? [] : [{ sequence: Number(sequence), row: auditOf(value) }];
    });
  }
}
