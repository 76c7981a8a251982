/** At most one pending task of a kind: which of two stays. */
import { describe, expect, test } from 'vitest';
import type { Instant } from '../../packages/carillon/src/base/time.ts';
import { addTime } from '../../packages/carillon/src/base/time.ts';
import {
  defineComponent,
  defineLibrary,
  pureTask,
  stateOf,
  taskName,
} from '../../packages/carillon/src/engine/index.ts';
import { World } from '../../packages/carillon/src/testing/world.ts';

interface BellState {
  readonly rung: readonly string[];
}

const Bell = defineComponent({ name: 'bell', state: stateOf<BellState>() });

const ring = {
  replace: taskName<typeof Bell, string>(Bell, 'ringLatest'),
  keep: taskName<typeof Bell, string>(Bell, 'ringFirst'),
} as const;

const library = defineLibrary({
  name: 'bell',
  root: Bell,
  tasks: (['replace', 'keep'] as const).map((singleton) =>
    pureTask<typeof Bell, string>({
      ...ring[singleton],
      singleton,
      validate: (_, note) => note !== 'invalid',
      execute: (bell, note) => {
        bell.set({ rung: [...bell.state.rung, note] });
      },
    }),
  ),
});

const key = { namespace: 'default', archetype: 'bell', id: 'b' };

/** Schedules the given notes at the given seconds, and returns the notes that were rung. */
async function rungAfter(kind: keyof typeof ring, notes: readonly (readonly [string, number])[]) {
  await using world = new World({ seed: 1, libraries: () => [library] });
  await world.start();
  const { engine, now } = { engine: world.engine(), now: world.now };
  await engine.create(library, key, { rung: [] }, () => undefined);
  for (const [note, seconds] of notes) {
    await engine.update(Bell, key, (bell) => {
      bell.schedule(ring[kind], note, addTime(now, seconds * 1000) as Instant);
    });
  }
  await world.advance(60_000);
  return (await engine.read(Bell, key, (bell) => bell.state)).rung;
}

describe('a singleton task', () => {
  test('that replaces: the newer stays, whichever is due first', async () => {
    expect(
      await rungAfter('replace', [
        ['early', 1],
        ['late', 5],
      ]),
    ).toEqual(['late']);
    expect(
      await rungAfter('replace', [
        ['late', 5],
        ['early', 1],
      ]),
    ).toEqual(['early']);
  });

  test('that keeps: the older stays', async () => {
    expect(
      await rungAfter('keep', [
        ['first', 5],
        ['second', 1],
      ]),
    ).toEqual(['first']);
  });

  test('that is invalid displaces nothing', async () => {
    expect(
      await rungAfter('replace', [
        ['good', 5],
        ['invalid', 1],
      ]),
    ).toEqual(['good']);
    expect(
      await rungAfter('keep', [
        ['invalid', 1],
        ['good', 5],
      ]),
    ).toEqual(['good']);
  });
});
