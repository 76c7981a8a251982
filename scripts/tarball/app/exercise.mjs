// A handler that runs, an explanation of why it ran, and a clean stop, on the store in memory and on SQLite.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function exercise({ openCarillon }) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-app-'));
  try {
    const results = {};
    for (const [name, store] of [
      ['memory', 'memory:'],
      ['sqlite', `sqlite:${join(folder, 'app.db')}`],
    ]) {
      const carillon = await openCarillon({ store });
      const ran = new Promise((resolve) => {
        carillon.handle('report', ({ input, scheduledAt }) => resolve({ input, scheduledAt }));
      });
      await carillon.schedules.upsert('nightly', { every: '1s', run: 'report', input: { of: name } });
      await carillon.start();
      const { input, scheduledAt } = await ran;
      const why = await carillon.schedules.explain('nightly', scheduledAt);
      await carillon.stop();
      results[name] = { of: input.of, why: why.answer };
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
