/**
 * Short lives of a schedule `s`, each ending in a state worth keeping: together they hold every component in every form
 * it is written in. Time begins at 2026-01-01T00:00:00Z.
 */
import type { Theatre } from './theatre.ts';
import { scheduleId as s } from './theatre.ts';

export type History = (theatre: Theatre) => Promise<void>;

const t = (time: string) => `2026-01-01T${time}Z`;

export const histories: Readonly<Record<string, History>> = {
  /** Nothing has happened yet: a definition, a cursor, one task. */
  created: async ({ carillon }) => {
    await carillon.schedules.create(s, {
      cron: '*/10 * * * *',
      zone: 'Europe/Berlin',
      run: 'work',
      input: { to: 'ann' },
      description: 'a schedule like any other',
      tags: ['team-a', 'nightly'],
      memo: { ticket: 7 },
    });
  },

  /** One run goes on, others wait, one of them by a trigger; a task gives them up in time. */
  'running and waiting': async ({ carillon, world }) => {
    const input = { ms: 1_500_000 };
    await carillon.schedules.create(s, { every: '5m', run: 'long', input, overlap: 'bufferAll' });
    await world.advance('13m');
    await carillon.schedules.trigger(s, { overlap: 'bufferAll', scheduledAt: t('00:01:00') });
  },

  /** Runs of the schedule's own and of a person stand in the way: a stretch without an era. */
  skipping: async ({ carillon, world }) => {
    await carillon.schedules.create(s, { every: '5m', run: 'long', input: { ms: 1_500_000 } });
    await world.advance('7m');
    await carillon.schedules.trigger(s, { overlap: 'allowAll' });
    await world.advance('11m');
  },

  /** A run whose due time is not its nominal time. */
  jittered: async ({ carillon, world }) => {
    const input = { ms: 600_000 };
    await carillon.schedules.create(s, { every: '20m', jitter: '2m', run: 'long', input });
    await world.advance('25m');
  },

  /** A run that was asked to stop and has not yet. */
  'stop requested': async ({ carillon, world }) => {
    const input = { ms: 1_200_000, deaf: true };
    await carillon.schedules.create(s, { every: '5m', run: 'long', input, overlap: 'cancelOther' });
    await world.advance('11m');
  },

  /** A long pause has just ended: an era, and a stretch of verdicts that is still growing. */
  'stretch and era': async ({ carillon, world }) => {
    await carillon.schedules.create(s, { every: '1s', endAt: t('02:00:10'), run: 'work' });
    await world.advance('3s');
    await carillon.schedules.pause(s, { note: 'maintenance', actor: 'ann' });
    await world.advance('2h');
    await carillon.schedules.resume(s, { note: 'over', actor: 'bob' });
  },

  /** The same with an era whose slots are to run after all. */
  'missed ones asked for': async ({ carillon, world }) => {
    await carillon.schedules.create(s, { every: '1s', endAt: t('02:00:10'), run: 'work' });
    await carillon.schedules.pause(s, { note: 'maintenance', actor: 'ann' });
    await world.advance('2h');
    await carillon.schedules.resume(s, { note: 'over', missed: 'once' });
  },

  /** A timed pause: the schedule sleeps with one task that ends it. */
  'paused until': async ({ carillon, world }) => {
    await carillon.schedules.create(s, { every: '10m', run: 'work' });
    await world.advance('15m');
    await carillon.schedules.pause(s, { note: 'lunch', until: t('00:45:00'), actor: 'ann' });
  },

  /** Two backfills on their way, one of them slowly. */
  backfills: async ({ carillon, world }) => {
    await carillon.schedules.create(s, { every: '1h', run: 'work' });
    const range = { from: '2025-12-31T00:00:00Z', to: '2025-12-31T12:00:00Z' };
    await carillon.schedules.backfill(s, { ...range, ratePerMinute: 1 });
    await carillon.schedules.backfill(s, { ...range, ratePerMinute: 2, overlap: 'allowAll' });
    await world.advance('3m');
  },

  /** Results and failures are kept for the next run; actions are limited; requests are remembered. */
  'failed twice': async ({ carillon, world }) => {
    await carillon.schedules.create(
      s,
      { every: '10m', run: 'work', remaining: 6, pauseAfterFailures: 4 },
      { requestId: 'create-1' },
    );
    await world.advance('15m');
    await carillon.schedules.update(
      s,
      { every: '10m', run: 'fail', remaining: 6, pauseAfterFailures: 4 },
      { requestId: 'update-1', note: 'let it fail' },
    );
    await world.advance('20m');
  },

  /** Deleted while a run goes on. */
  deleted: async ({ carillon, world }) => {
    await carillon.schedules.create(s, { every: '10m', run: 'long', input: { ms: 1_200_000 } });
    await world.advance('15m');
    await carillon.schedules.delete(s);
  },
};
