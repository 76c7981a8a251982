/** The same file names in every store, so that a reader of one knows where to look in all others. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../packages/carillon/src/store', import.meta.url));

/** The steps of a transaction, what stands beside them, and the rows of each kind. */
const everywhere = [
  'index.ts',
  'transaction.ts',
  'selection.ts',
  'writing.ts',
  'listing.ts',
  'sweeper.ts',
  'event-rows.ts',
  'journal-rows.ts',
  'log-rows.ts',
  'run-rows.ts',
  'slot-rows.ts',
];
/** Behind a driver. */
const database = ['connection.ts', 'driver.ts', 'trouble.ts'];
const tables = ['tables.ts', 'execution-rows.ts', 'part-rows.ts'];
const sql = ['migration.ts', 'migration-files.ts'];

const stores: Readonly<Record<string, readonly string[]>> = {
  memory: tables,
  sqlite: [...database, ...tables, ...sql],
  postgres: [...database, ...tables, ...sql, 'address.ts', 'change-codec.ts'],
  redis: [...database, 'address.ts', 'change-codec.ts'],
};

test('every store is listed', () => {
  const found = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(stores).sort());
});

test.each(Object.entries(stores))('%s', (name, own) => {
  const files = readdirSync(join(folder, name));
  const wanted = [`${name}-store.ts`, ...everywhere, ...own];
  expect(wanted.filter((file) => !files.includes(file))).toEqual([]);
});
