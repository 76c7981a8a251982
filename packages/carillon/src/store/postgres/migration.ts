/**
 * Brings the schema up to date in one transaction. Nodes that start at the same moment wait for each other at an advisory
 * lock that ends with the transaction; the second node finds everything done.
 */
import { StoreError } from '../error.ts';
import * as files from '../migration.ts';
import type { Connections, Session } from './connection.ts';
import { migrationFiles } from './migration-files.ts';
import { readOnlyAdvice } from './trouble.ts';

const migrationsTable =
  'create table migrations (version bigint primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())';

export function loadMigrations(): readonly files.Migration[] {
  return files.readMigrations(migrationFiles);
}

/** `schema` is a plain name, checked before. */
export async function migrate(
  connections: Connections,
  schema: string,
  migrations: readonly files.Migration[] = loadMigrations(),
): Promise<void> {
  const work = async (session: Session) => {
    await session.begin();
    await session.send({ text: 'set local statement_timeout = 0' });
    await refuseReadOnly(session, connections.place);
    await session.send({
      text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
      values: [`carillon migrations of ${schema}`],
    });
    await createSchema(session, schema);
    await session.send({ text: `set local search_path to "${schema}"` });
    if (!(await hasMigrations(session, schema, connections.place)))
      await session.send({ text: migrationsTable });
    const applied = await session.send({
      text: 'select version, name, checksum from migrations order by version',
    });
    const pending = files.pendingMigrations(
      `${connections.place}, schema ${schema},`,
      migrations,
      applied.map(([version, name, checksum]) => ({
        version: version as number,
        name: name as string,
        checksum: checksum as string,
      })),
    );
    for (const { version, name, sql } of pending) {
      await session.send({ text: sql });
      await session.send({
        text: 'insert into migrations (version, name, checksum) values ($1, $2, $3)',
        values: [version, name, files.checksumOf(sql)],
      });
    }
    await session.end('commit');
  };
  // No limit on silence: building an index on a large table may take any time.
  await connections.withSession(work, Number.POSITIVE_INFINITY);
}

/** Refuses a standby: with an up-to-date schema a node would start on it and could do no work. */
async function refuseReadOnly(session: Session, place: string): Promise<void> {
  const [row] = await session.send({ text: "select current_setting('transaction_read_only')" });
  if (row?.[0] !== 'on') return;
  throw new StoreError('unavailable', `${place}: ${readOnlyAdvice}`, undefined, 'READ_ONLY');
}

/** Checked first: `create … if not exists` needs the right to create even when the schema exists. */
async function createSchema(session: Session, schema: string): Promise<void> {
  const found = await session.send({
    text: 'select 1 from pg_namespace where nspname = $1',
    values: [schema],
  });
  if (found.length === 0) await session.send({ text: `create schema "${schema}"` });
}

/** Refuses a schema with tables of another program: it is not an empty place for a store. */
async function hasMigrations(session: Session, schema: string, place: string): Promise<boolean> {
  const rows = await session.send({
    text: `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relkind in ('r', 'p')`,
    values: [schema],
  });
  const names = rows.map(([name]) => name as string);
  if (names.length === 0 || names.includes('migrations')) return names.length > 0;
  throw new StoreError(
    'unavailable',
    `${place}: the schema ${schema} belongs to another program (it has a table ${JSON.stringify(names[0])}): choose another one`,
  );
}
