import { describe, expect, test } from 'vitest';
import type { ManifestOptions } from '../../packages/carillon/src/doctor/manifest.ts';
import { readManifest as readWith } from '../../packages/carillon/src/doctor/manifest.ts';
import { parseYaml } from '../../packages/server/src/cli/yaml.ts';

const readManifest = (text: string, options: ManifestOptions = {}) =>
  readWith(text, { ...options, parse: parseYaml });

import {
  differences,
  type LiveSchedule,
  type PlannedChange,
  planChanges,
} from '../../packages/carillon/src/doctor/plan.ts';
import { describeSpec } from '../../packages/carillon/src/spec/index.ts';

function entriesOf(fields: object) {
  const read = readManifest(
    JSON.stringify({ owner: 'team', schedules: { a: { every: '1h', run: 'x', ...fields } } }),
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.manifests[0]?.entries ?? [];
}

/** A schedule as it would be after these fields were applied. */
function liveOf(fields: object, more: Partial<LiveSchedule> = {}): LiveSchedule {
  const [entry] = entriesOf(fields);
  if (entry === undefined) throw new Error('no entry');
  const { draft } = entry;
  return {
    ...draft,
    id: 'a',
    token: 7,
    words: describeSpec(draft.spec),
    paused: null,
    remaining: draft.remaining ?? null,
    askedRemaining: draft.remaining ?? null,
    ...more,
  };
}

const declarer = { owner: 'team', declaredBy: 'manifest:default' };

/** The requests that would be sent. */
const sent = (change: PlannedChange | undefined) =>
  change?.step.kind === 'update' || change?.step.kind === 'create' ? change.step.change.input : undefined;

function plan(declared: object, live?: LiveSchedule, takeOver = false) {
  const [change] = planChanges({
    ...declarer,
    entries: entriesOf(declared),
    live: new Map(live === undefined ? [] : [['a', live]]),
    owned: [],
    takeOver,
  });
  return change;
}

describe('a plan', () => {
  test('creates what is not there', () => {
    const change = plan({ description: 'new' });
    expect(change).toMatchObject({
      kind: 'create',
      words: 'Every hour',
      step: { kind: 'create', change: { input: { every: '1h', ...declarer } } },
    });
    expect(change?.fields).toContainEqual({ path: 'description', before: undefined, after: 'new' });
    expect(change?.step).not.toHaveProperty('token');
  });

  test('leaves what is as declared, in whatever order and words', () => {
    expect(plan({ every: '60m', tags: ['x'] }, liveOf({ tags: ['x'] }))).toMatchObject({
      kind: 'unchanged',
      fields: [],
    });
  });

  test('changes field by field, with the token that was read', () => {
    const change = plan(
      { every: '2h', catchup: '2h', memo: { a: { b: 2 } } },
      liveOf({ memo: { a: { b: 1, c: 1 } } }),
    );
    expect(change).toMatchObject({ kind: 'update', step: { token: 7 } });
    expect(change?.fields).toEqual([
      { path: 'intervals', before: ['every 1h'], after: ['every 2h'] },
      { path: 'catchup', before: '1h', after: '2h' },
      { path: 'memo.a.b', before: 1, after: 2 },
      { path: 'memo.a.c', before: 1, after: undefined },
    ]);
  });

  test('never resumes what a person paused, never pauses what a person resumed', () => {
    const paused = liveOf({}, { paused: { by: 'ada', note: 'fire' } });
    const change = plan({ paused: false, every: '2h' }, paused);
    expect(sent(change)).not.toHaveProperty('paused');
    expect(change?.notes).toEqual(['stays paused (by ada: fire)']);
    expect(plan({ paused: false }, paused)).toMatchObject({ kind: 'unchanged' });
    const running = plan({ paused: true, every: '2h' }, liveOf({}));
    expect(sent(running)).not.toHaveProperty('paused');
    expect(running?.notes).toEqual([expect.stringContaining('stays running')]);
  });

  test('never gives back used-up actions, unless the declared number itself was changed', () => {
    const used = liveOf({ remaining: 5 }, { remaining: 2 });
    const same = plan({ remaining: 5, every: '2h' }, used);
    expect(sent(same)).not.toHaveProperty('remaining');
    expect(same?.notes).toEqual(['keeps its 2 actions left']);
    expect(plan({ remaining: 9 }, used)).toMatchObject({
      kind: 'update',
      fields: [{ path: 'remaining', before: 2, after: 9 }],
      step: { kind: 'update', change: { input: { remaining: 9 }, draft: { remaining: 9 } }, token: 7 },
    });
  });

  test('keeps a note that the file does not speak of', () => {
    expect(sent(plan({ every: '2h' }, liveOf({}, { note: 'said by hand' })))?.note).toBe('said by hand');
  });

  test('does not touch schedules of other owners, or without one, unless it is told to', () => {
    const foreign = liveOf({}, { owner: 'ops' });
    expect(plan({}, foreign)).toMatchObject({ kind: 'foreign', fields: [] });
    expect(plan({}, liveOf({}, { owner: '' }))?.notes[0]).toContain('no owner');
    expect(plan({}, foreign, true)).toMatchObject({
      kind: 'update',
      fields: [{ path: 'owner', before: 'ops', after: 'team' }],
    });
  });

  test('what another declaration of the same owner made is foreign, what was made by hand is adopted', () => {
    const ofTasks = plan({}, liveOf({}, { declaredBy: 'periodic' }));
    expect(ofTasks).toMatchObject({ kind: 'foreign', step: { why: 'otherDeclaration' } });
    expect(ofTasks?.notes[0]).toBe(
      "belongs to 'team', declared by periodic; --take-over makes it part of this one",
    );
    expect(plan({}, liveOf({}, { declaredBy: '' }))).toMatchObject({
      kind: 'update',
      fields: [{ path: 'declaredBy', before: '', after: 'manifest:default' }],
    });
  });

  test('prunes what this manifest made and no longer declares, and nothing else of the owner', () => {
    const words = 'Every day';
    const changes = planChanges({
      ...declarer,
      entries: entriesOf({}),
      live: new Map([['a', liveOf({})]]),
      owned: [
        { id: 'a', token: 7, words, ...declarer },
        { id: 'gone', token: 3, words, ...declarer },
        { id: 'task', token: 1, words, ...declarer, declaredBy: 'periodic' },
        { id: 'other-file', token: 1, words, ...declarer, declaredBy: 'manifest:other' },
        { id: 'by-hand', token: 1, words, ...declarer, declaredBy: '' },
      ],
      takeOver: false,
    });
    expect(changes.map(({ step }) => step)).toEqual([
      { id: 'a', kind: 'unchanged', token: 7 },
      { id: 'gone', kind: 'prune', token: 3 },
    ]);
  });
});

test('differences name the leaf, with lists of values as one', () => {
  expect(differences({ a: [{ b: 1 }], c: [1, 2], e: 1 }, { a: [{ b: 2 }, { b: 3 }], c: [2], d: {} })).toEqual(
    [
      { path: 'a[0].b', before: 1, after: 2 },
      { path: 'a[1].b', before: undefined, after: 3 },
      { path: 'c', before: [1, 2], after: [2] },
      { path: 'e', before: 1, after: undefined },
      { path: 'd', before: undefined, after: {} },
    ],
  );
});
