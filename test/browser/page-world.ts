/**
 * A server with an eventful day, made by the real engine in virtual time: an overlap, retries, a failure, an edit, a
 * pause, an outage with a merge, a clock change, a run by hand, a running one, exclusions, a run that no worker knows.
 */

import { internalsOf } from '../../packages/carillon/src/internal/embed.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';
import type { Server } from '../../packages/server/src/server/server.ts';
import { startServer } from '../../packages/server/src/server/server.ts';

/** Sunday, an hour after the clock went back in New York. */
export const worldNow = '2026-11-01T18:12:40Z';
const minute = 60_000;

export interface PageWorld extends AsyncDisposable {
  readonly world: CarillonWorld;
  readonly carillon: Carillon;
  readonly server: Server;
  readonly url: string;
}

const plain = [
  ['usage-refresh', '*/5 * * * *', 'Europe/Berlin', 'billing', 'Meters of all tenants'],
  ['orders-cleanup', '30 2 * * *', 'Europe/Berlin', 'risk', ''],
  ['stock-rebuild', '*/15 * * * *', 'Europe/Berlin', 'warehouse', ''],
  ['audit-refresh', '0,30 * * * *', 'Europe/Berlin', 'risk', ''],
  ['report-rollup', '0 4 1 * *', 'UTC', 'catalog', ''],
  ['backup-reminders', '30 2 * * *', 'UTC', 'platform', ''],
  ['digest-morning', '0 9 * * 1-5', 'America/New_York', 'people', ''],
  ['invoice-reminders', '0 9 * * 1-5', 'Europe/Berlin', 'billing', ''],
  ['inventory-snapshot', '30 2 * * *', 'America/New_York', 'warehouse', ''],
  ['sitemap-refresh', '0 */2 * * *', 'UTC', 'catalog', ''],
] as const;

export async function openPageWorld(
  options: Partial<Parameters<typeof startServer>[0]> = {},
): Promise<PageWorld> {
  let isBroken = false;
  const starts = new Map<string, number>();
  const world = await CarillonWorld.start({
    start: '2026-10-30T18:00:00Z',
    expectFailures: true,
    setup: (carillon, { sleep }) => {
      const taking =
        (length: number) =>
        async ({ signal }: { readonly signal: AbortSignal }) => {
          await sleep(length, signal);
          return { rows: 660 };
        };
      carillon.handle('billing.syncInvoices', async ({ signal, scheduledAt, attempt, heartbeat }) => {
        const at = new Date(scheduledAt ?? 0).toISOString();
        const count = (starts.get('sync') ?? 0) + 1;
        starts.set('sync', count);
        heartbeat({ page: 118, of: 660 });
        // One run is seven times as slow as usual; one fails twice and then for good; one fails once.
        if (at.startsWith('2026-11-01T08:00')) await sleep(83 * minute, signal);
        else if (at.startsWith('2026-11-01T18:00')) await sleep(14 * minute, signal);
        else if (at.startsWith('2026-11-01T10:30')) {
          await sleep(3 * minute, signal);
          throw new Error('503 from erp.example', {
            cause: new Error('Service Unavailable (retry-after: 120)'),
          });
        } else if (at.startsWith('2026-11-01T10:00') && attempt === 1) {
          await sleep(2 * minute, signal);
          throw new Error('429 from erp.example');
        } else await sleep((9 + (count % 4)) * minute, signal);
        return { invoices: 660 };
      });
      carillon.handle('payments.reconcile', async ({ signal }) => {
        await sleep(41_000, signal);
        if (isBroken) throw new TypeError('amount is not a number');
        return { matched: 12 };
      });
      carillon.handle('usage.rollup', taking(67 * minute));
      carillon.handle('quick', taking(18_000));
      carillon.handle('medium', taking(55_000));
    },
  });
  const carillon = world.carillon();
  // Counts over time come from a service that the server starts; here history comes before the server.
  await internalsOf(carillon).services.tally.start();
  const { schedules } = carillon;
  const by = (actor: string) => ({ actor });
  await schedules.create(
    'invoice-sync',
    {
      cron: '0,30 * * * *',
      zone: 'America/New_York',
      run: 'billing.syncInvoices',
      input: { tenant: 'acme', pageSize: 200 },
      overlap: 'skip',
      retry: { attempts: 3, initial: '60s', coefficient: 2 },
      description: 'Invoices of all tenants, into the ERP',
      owner: 'billing@main',
      tags: ['billing', 'erp'],
      excludeDates: ['2026-11-02'],
    },
    by('ana'),
  );
  await schedules.create(
    'refund-reconcile',
    {
      cron: '*/15 * * * *',
      zone: 'America/New_York',
      run: 'payments.reconcile',
      owner: 'payments',
      tags: ['payments'],
    },
    by('ana'),
  );
  await schedules.create(
    'tenant-usage-rollup',
    { cron: '10 * * * *', zone: 'UTC', run: 'usage.rollup', owner: 'billing', tags: ['billing'] },
    by('mara'),
  );
  await schedules.create(
    'ledger-rebuild',
    { cron: '0 2 * * *', zone: 'UTC', run: 'medium', owner: 'platform' },
    by('mara'),
  );
  for (const [index, [id, cron, zone, owner, description]] of plain.entries()) {
    await schedules.create(
      id,
      { cron, zone, run: index % 2 === 0 ? 'quick' : 'medium', owner, description, tags: [owner] },
      by('ana'),
    );
  }
  await world.advanceUntil('2026-11-01T10:20:00Z');
  await schedules.pause('ledger-rebuild', { actor: 'jonas', note: 'Storage moves on Monday' });
  await world.advanceUntil('2026-11-01T11:17:00Z');
  await schedules.patch(
    'invoice-sync',
    { catchup: '2h', missed: 'once' },
    {
      actor: 'mara',
      note: 'One run is enough after an outage',
    },
  );
  await world.advanceUntil('2026-11-01T11:40:00Z');
  await schedules.pause('invoice-sync', { actor: 'jonas', note: 'ERP maintenance' });
  await world.advanceUntil('2026-11-01T13:35:00Z');
  await schedules.resume('invoice-sync', { actor: 'jonas' });
  await world.advanceUntil('2026-11-01T14:20:00Z');
  world.crash(0);
  await world.advanceUntil('2026-11-01T15:41:00Z');
  await world.restart(0);
  const alive = world.carillon();
  await internalsOf(alive).services.tally.start();
  await world.advanceUntil('2026-11-01T16:42:00Z');
  isBroken = true;
  await world.advanceUntil('2026-11-01T17:04:00Z');
  await alive.schedules.trigger('invoice-sync', {
    actor: 'mara',
    overlap: 'allowAll',
    note: 'After the outage',
  } as never);
  await alive.schedules.create(
    'price-feed-refresh',
    { cron: '*/5 * * * *', zone: 'UTC', run: 'price.refresh', owner: 'catalog', tags: ['catalog'] },
    by('ana'),
  );
  await world.advanceUntil(worldNow);
  await internalsOf(alive).services.tally.flush();
  const server = await startServer({ port: 0, drainMs: 50, carillon: alive, ...options });
  const close = async () => {
    // The server would wait for its handlers by the world's clock, which stands still.
    const closing = server.app.close();
    server.app.server.closeAllConnections();
    await closing;
    await world[Symbol.asyncDispose]();
  };
  return { world, carillon: alive, server, url: server.url, [Symbol.asyncDispose]: close };
}
