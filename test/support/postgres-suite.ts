/**
 * How test files get at PostgreSQL: a suite that runs on a real server. Without one it fails, loudly and by name, unless
 * `CARILLON_TEST_WITHOUT_POSTGRES=1` says that this is known.
 */
import { describe, test } from 'vitest';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** Call at the top of a test file, awaited. */
export async function describePostgres(
  title: string,
  suite: (server: PostgresServer) => void,
): Promise<void> {
  const server = await startPostgres();
  if (!('missing' in server)) {
    describe(title, () => suite(server));
    return;
  }
  const reason = `PostgreSQL could not be had: ${server.missing}`;
  if (process.env.CARILLON_TEST_WITHOUT_POSTGRES === '1') {
    console.warn(`skipped: ${title}: ${reason}`);
    describe.skip(`${title} (${reason})`, () => {
      test('needs PostgreSQL', () => {});
    });
    return;
  }
  test(reason, () => {
    throw new Error(`${reason} (CARILLON_TEST_WITHOUT_POSTGRES=1 runs the other tests)`);
  });
}
