/**
 * Short lives of a workflow, each ending in a state worth keeping: together they hold every component in every form it is
 * written in. Time begins at 2026-01-01T00:00:00Z.
 */
import type { HostTheatre } from './host-theatre.ts';

export type HostHistory = (theatre: HostTheatre) => Promise<void>;

export const hostHistories: Readonly<Record<string, HostHistory>> = {
  /** Nothing has happened yet. */
  deployed: async () => {},

  /** States of handlers, runs that committed, due times that ran. */
  worked: async (theatre) => {
    await theatre.send('do', 'do');
    await theatre.world.advance('5m');
  },

  /** A consumer with a pending event sleeps; another sleeps until the time it asked for. */
  sleeping: async (theatre) => {
    await theatre.hosts.publish('w', 'side', { id: 's', payload: 1 });
    await theatre.send('leave');
    await theatre.world.advance('1m');
  },

  /** A change is under way; due times were skipped, one waits, and so does a person's request. */
  'change under way': async (theatre) => {
    await theatre.send('hang', 'do');
    await theatre.world.advance('4m');
    await theatre.hosts.trigger('w', { consumer: 'sink' });
    await theatre.hosts.publish('w', 'out', { id: 'o', payload: 1 });
  },

  /** It is not known whether a change happened, and a person must say. */
  uncertain: async (theatre) => {
    await theatre.send('unknown', 'do');
    await theatre.world.advance('1m');
  },

  /** The change happened, and `next` waits for its next attempt. */
  'only next is left': async (theatre) => {
    await theatre.send('lose');
    await theatre.world.advance('5s');
  },

  /** The first attempt failed and the next one has its time. */
  retrying: async (theatre) => {
    await theatre.send('stumble');
    await theatre.world.advance('3s');
  },

  /** A run failed for good; due times are not judged meanwhile. */
  failed: async (theatre) => {
    await theatre.send('break', 'do');
    await theatre.world.advance('16m');
  },

  /** A person paused it, and an event was skipped. */
  paused: async (theatre) => {
    await theatre.world.advance('8m');
    await theatre.hosts.pause('w', { note: 'maintenance', actor: 'ann' });
    await theatre.send('do', 'do');
    await theatre.hosts.skip('w', 'in', 'do-0', { note: 'not this one', actor: 'ann' });
    await theatre.world.advance('15m');
  },

  /** A long pause has just ended: its due times have their verdicts. */
  resumed: async (theatre) => {
    await theatre.world.advance('3m');
    await theatre.hosts.pause('w', { note: 'maintenance', actor: 'ann' });
    await theatre.world.advance('30m');
    await theatre.hosts.resume('w', { actor: 'ann' });
    await theatre.world.settle();
  },

  /** A deployment removed a topic with pending events. */
  orphaned: async (theatre) => {
    await theatre.hosts.publish('w', 'side', { id: 's', payload: 1 });
    await theatre.world.settle();
    await theatre.deployLess();
    await theatre.world.advance('1m');
  },
};
