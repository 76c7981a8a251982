/**
 * The pattern of examples/next: modules are evaluated again, the Carillon stays. Next itself is too heavy for the tests; the example
 * was run by hand under `next dev` (with changed handlers) and `next build`.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

beforeAll(() => vi.stubEnv('CARILLON_STORE', 'memory:'));
afterAll(() => vi.unstubAllEnvs());

interface Opening {
  opened(): Promise<{
    readonly carillon: import('carillon').Carillon;
    readonly mounted: import('@carillon/server').MountedCarillon;
  }>;
}

/** As after a change of the code: the module is evaluated again. */
async function evaluated(): Promise<Opening> {
  vi.resetModules();
  return (await import('../../examples/next/carillon/open' as string)) as Opening;
}

test('code that is evaluated again finds the Carillon of its process and exchanges the handlers', async () => {
  const first = await evaluated();
  const { carillon, mounted } = await first.opened();
  const second = await evaluated();
  const found = await Promise.all([second.opened(), first.opened()]);
  expect(found.every((each) => each.carillon === carillon)).toBe(true);
  const { runId } = await carillon.schedules.trigger('nightly');
  expect(await carillon.runs.wait(String(runId))).toMatchObject({ result: 'written' });
  const page = await mounted.fetch(new Request('http://example.test/carillon/ui/'));
  expect(page.status).toBe(200);
  await mounted.stop();
});
