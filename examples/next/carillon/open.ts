/**
 * One Carillon per process. In development Next evaluates modules again on every change, so what must stay is kept on
 * `globalThis`; the handlers are exchanged, and nothing that runs is disturbed.
 */

import type { MountedCarillon } from '@carillon/server';
import { mountCarillon } from '@carillon/server';
import type { Carillon } from 'carillon';
import { openCarillon } from 'carillon';
import { registerHandlers, schedules } from './handlers';

interface Opened {
  readonly carillon: Carillon;
  readonly mounted: MountedCarillon;
}

const kept = globalThis as typeof globalThis & { carillonOfThisProcess?: Promise<Opened> };

let registered: Promise<void> | undefined;

/** The Carillon of this process with the handlers of this evaluation of the code: after a change, the first request exchanges them. */
export async function opened(): Promise<Opened> {
  kept.carillonOfThisProcess ??= open();
  const it = await kept.carillonOfThisProcess;
  registered ??= register(it.carillon);
  await registered;
  return it;
}

async function open(): Promise<Opened> {
  const carillon = await openCarillon(process.env.CARILLON_STORE ?? 'sqlite:./carillon.db');
  const mounted = await mountCarillon({
    carillon,
    basePath: '/carillon',
    // Your sessions decide who calls; this accepts one name in a header.
    authenticate: ({ headers }) => (headers['x-user'] === 'ada' ? { actor: 'ada', role: 'admin' } : null),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void mounted.stop());
  return { carillon, mounted };
}

async function register(carillon: Carillon): Promise<void> {
  await carillon.reloadHandlers(() => registerHandlers(carillon));
  for (const [id, schedule] of Object.entries(schedules)) await carillon.schedules.upsert(id, schedule);
}
