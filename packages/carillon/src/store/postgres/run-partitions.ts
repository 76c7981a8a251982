/**
 * The history of runs has a partition per day. Ids begin with the nominal time, so a range of ids is a day; runs of days without a
 * partition are in `runs_other`. Partitions are made some days ahead, and dropped when their newest run has been finished for long
 * enough: a backfill of an old day finishes today.
 *
 * Both need a lock on the table for a moment. A busy table, or a role that may not create tables, is not a problem: the runs then go to
 * `runs_other`, and the next sweep tries again.
 */
import { base36 } from '../../base/base36.ts';
import type { Instant } from '../../base/time.ts';
import { addTime, day, formatInstant } from '../../base/time.ts';
import type { Connections, Session } from './connection.ts';
import type { SqlRow } from './driver.ts';
import { isConnectionAlive } from './trouble.ts';

/** The number of digits of the time in an id. */
const timeDigits = 9;
/** How long making or dropping a partition may wait for the table, while others wait behind it. */
const patienceMs = 1000;

interface Partition {
  readonly name: string;
  /** The first id of the day, and the first one after it. */
  readonly from: string;
  readonly to: string;
}

export function partitionOf(at: Instant): Partition {
  const begin = (Math.floor(at / day) * day) as Instant;
  const name = `runs_${formatInstant(begin).slice(0, 10).replaceAll('-', '')}`;
  return { name, from: firstIdOf(begin), to: firstIdOf(addTime(begin, day)) };
}

function firstIdOf(at: Instant): string {
  return base36(Math.max(0, at), timeDigits);
}

export class RunPartitions {
  readonly #connections: Connections;
  readonly #schema: string;

  /** `schema` is the quoted name. */
  constructor(connections: Connections, schema: string) {
    this.#connections = connections;
    this.#schema = schema;
  }

  /** Makes the partitions of a day and of the days after it. */
  async make(first: Instant, days: number): Promise<void> {
    const existing = new Set((await this.#names()).map(([name]) => name as string));
    for (let ahead = 0; ahead < days; ahead += 1) {
      const partition = partitionOf(addTime(first, ahead * day));
      if (!existing.has(partition.name)) await this.#make(partition);
    }
  }

  /** Drops the partitions of days before a time in which no run has finished since then. Returns the number of their runs. */
  async drop(finishedBefore: Instant): Promise<number> {
    const last = partitionOf(finishedBefore).name;
    let dropped = 0;
    for (const [name] of await this.#names())
      if ((name as string) < last) dropped += await this.#drop(name as string, finishedBefore);
    return dropped;
  }

  async #names(): Promise<readonly SqlRow[]> {
    const [rows = []] = await this.#connections.read({
      name: 'run-partitions',
      text: `select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = $1::regclass and c.relname ~ '^runs_[0-9]+$' order by c.relname`,
      values: [`${this.#schema}.runs`],
    });
    return rows;
  }

  async #make({ name, from, to }: Partition): Promise<void> {
    await this.#briefly(async (session) => {
      await session.send({
        text: `create table if not exists ${this.#schema}.${name} partition of ${this.#schema}.runs for values from ('${from}') to ('${to}')`,
      });
      return 0;
    });
  }

  async #drop(name: string, finishedBefore: Instant): Promise<number> {
    const table = `${this.#schema}.${name}`;
    return await this.#briefly(async (session) => {
      const [row] = await session.send({
        text: `select count(*), count(*) filter (where finished_at >= $1), min(id), max(id) from ${table}`,
        values: [finishedBefore],
      });
      const [runs, recent, first, last] = row as [number, number, string | null, string | null];
      if (recent > 0) return 0;
      if (first !== null) {
        await session.send({
          text: `delete from ${this.#schema}.run_logs l where l.run_id between $1 and $2
            and not exists (select 1 from ${this.#schema}.open_runs r where r.id = l.run_id)`,
          values: [first, last],
        });
      }
      await session.send({ text: `drop table ${table}` });
      return runs;
    });
  }

  /** Works in a separate transaction, which gives up and returns 0 rather than let others wait. */
  async #briefly(work: (session: Session) => Promise<number>): Promise<number> {
    try {
      return await this.#connections.withSession(async (session) => {
        await session.begin();
        await session.send({ text: `set local lock_timeout = ${patienceMs}` });
        const result = await work(session);
        await session.end('commit');
        return result;
      });
    } catch (error) {
      if (isConnectionAlive(error)) return 0;
      throw error;
    }
  }
}
