/** The chains of single verdicts: every rule, run and person that decided is a link of its own. */
import { expect, test } from 'vitest';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import type { Stage } from '../../scheduler/stage.ts';
import { aSchedule, t } from '../../scheduler/stage.ts';

async function storyOf(stage: Stage, at: string) {
  const { insight } = internalsOf(stage.carillon).services;
  const [explanation] = await insight.explain({ namespace: 'default', id: 's' }, Date.parse(at) as never);
  if (explanation === undefined) expect.fail('there is always a explanation');
  const links = explanation.chain.slice(0, -1).map(({ type, text, detail, subject }) => ({
    type,
    told: [text, detail].join(' | '),
    leadsTo: subject?.type,
  }));
  const others = explanation.alternatives.map(({ setting, value, text }) => `${setting} ${value}: ${text}`);
  return { ...explanation, links, others };
}

const told = (links: readonly { readonly told: string }[]) => links.map((link) => link.told);

test('a full queue names how many runs may be unfinished, and what one more would have done', async () => {
  await using stage = await aSchedule({ run: 'long', overlap: 'allowAll', outstanding: 3 });
  await stage.advance('4m');
  const { answer, links, others } = await storyOf(stage, t('00:04:00'));
  expect(answer).toBe('bufferFull');
  expect(links.at(-1)).toEqual({
    type: 'rule',
    told: 'At most 3 of its runs may be unfinished. | outstanding: 3, as created by embedded',
    leadsTo: 'version',
  });
  expect(others).toEqual(['outstanding 4: started on time, beside the others']);
});

test('a slot that had run already names the person who asked for its run', async () => {
  await using stage = await aSchedule({ every: '1h' });
  await stage.advance('30m');
  const early = { scheduledAt: t('01:00:00'), actor: 'Mara', note: 'early' };
  await stage.schedules.trigger('s', early);
  await stage.advance('31m');
  const { answer, links } = await storyOf(stage, t('01:00:00'));
  expect(answer).toBe('alreadyStarted');
  expect(links.map(({ leadsTo }) => leadsTo)).toEqual(['person', 'run', 'version', undefined]);
  expect(told(links)[0]).toBe('Mara asked for a run now. | early');
});

test('an exclusion and an end of its times are named with the version that gave them', async () => {
  const input = { every: '1h', excludeDates: ['2026-01-02'], endAt: '2026-01-03T00:00:00Z' } as const;
  await using stage = await aSchedule(input);
  await stage.advance('1h');
  const excluded = await storyOf(stage, '2026-01-02T05:00:00Z');
  expect(excluded.answer).toBe('excluded');
  expect(told(excluded.links)).toEqual([
    'The spec names this time. | Every hour, except on 2026-01-02, until 2026-01-03 00:00 UTC',
    'An exclusion takes it out. | excludeDates: 2026-01-02, as created by embedded',
  ]);
  const beyond = await storyOf(stage, '2026-01-03T01:00:00Z');
  expect(beyond.answer).toBe('outOfBounds');
  expect(beyond.text).toBe('It lies after the times of the spec, which end at 2026-01-03T00:00:00Z.');
  expect(beyond.links.at(-1)).toMatchObject({ type: 'rule', leadsTo: 'version' });
});

test('a schedule that paused itself leads to the run that failed last and to the rule', async () => {
  await using stage = await aSchedule({ run: 'fail', pauseAfterFailures: 2, retry: { attempts: 1 } });
  await stage.advance('5m');
  const { answer, text, links } = await storyOf(stage, t('00:04:00'));
  expect(answer).toBe('paused');
  expect(text).toMatch(/^The schedule is paused by its own rule since/);
  expect(links.map(({ leadsTo }) => leadsTo)).toEqual(['version', 'run', 'version']);
  expect(told(links)[2]).toBe(
    'The schedule pauses itself after 2 failures in a row. | pauseAfterFailures: 2, as created by embedded',
  );
  const coming = await storyOf(stage, t('00:20:00'));
  expect(coming.text).toContain('the schedule is paused by its own rule');
  expect(coming.links.map(({ leadsTo }) => leadsTo)).toEqual(['version', 'run', 'version']);
});

test('a slot that waited leads to the run it waited for, and others would have started at its time', async () => {
  await using stage = await aSchedule({
    every: '1h',
    run: 'long',
    input: { ms: 70 * 60_000 },
    overlap: 'bufferOne',
  });
  await stage.advance('3h');
  const { answer, links, others } = await storyOf(stage, t('02:00:00'));
  expect(answer).toBe('startedLate');
  expect(links[1]).toMatchObject({ type: 'run', leadsTo: 'run' });
  expect(told(links)[1]).toMatch(/, which it waited for, ended\. \| overlap: bufferOne, as created/);
  expect(others).toContain('limit 2: started on time, beside the other');
  expect(others).toContain('overlap allowAll: started on time, beside the other');
});

test('an edit that took the slot away names its fields, and a deletion is called one', async () => {
  await using stage = await aSchedule({ every: '1h', jitter: '59m' });
  await stage.advance('3601s');
  await stage.schedules.update('s', { every: '2h', run: 'work' }, { actor: 'Mara', note: 'less often' });
  const { answer, links } = await storyOf(stage, t('01:00:00'));
  expect(answer).toBe('superseded');
  expect(told(links).at(-1)).toBe('Mara changed the schedule. | spec.intervals, spec.jitterMs: less often');
});

test('a run that no worker had begun was not going, but waiting', async () => {
  await using stage = await aSchedule({ run: 'unheard-of', unclaimedTimeout: '150s' });
  await stage.advance('5m');
  const { answer, text, links } = await storyOf(stage, t('00:02:00'));
  expect(answer).toBe('skippedOverlap');
  expect(text).toMatch(/\(waiting since 2026-01-01T00:01:00Z\) was still waiting for a worker and/);
  expect(told(links)[0]).toMatch(/^Run \S+ was still waiting for a worker\./);
  const given = await storyOf(stage, t('00:01:00'));
  expect(given.answer).toBe('noWorker');
  expect(told(given.links).slice(1)).toEqual([
    expect.stringMatching(/ waited for a worker in vain\. \| 'unheard-of' on the queue 'default'$/),
    'A run that no worker takes is given up after 2 min 30 s. | unclaimedTimeout: 2m30s, as created by embedded',
  ]);
});

test('a coming slot says when the run before it will rather be in its way', async () => {
  await using stage = await aSchedule({ every: '30m', run: 'long', input: { ms: 38 * 60_000 } });
  await stage.advance('10h');
  const { future } = await stage.describe();
  const explanations = await Promise.all(
    future.slice(0, 2).map(({ nominal }) => storyOf(stage, new Date(nominal).toISOString())),
  );
  const likely = explanations
    .flatMap(({ links }) => told(links))
    .filter((text) => text.includes('may still'));
  expect(likely).toHaveLength(1);
  expect(likely[0]).toMatch(/9 of 9 runs took that long\./);
});

test('a coming slot names the run that has been going for longer than any other', async () => {
  await using stage = await aSchedule({ every: '1h', run: 'long', input: { ms: 60_000 } });
  await stage.advance('3h');
  await stage.schedules.patch('s', { input: { ms: 24 * 3_600_000 } });
  await stage.advance('2h30m');
  const { answer, links } = await storyOf(stage, t('06:00:00'));
  expect(answer).toBe('notYet');
  expect(told(links)[1]).toMatch(/^The run before it has been going for 1 h 30 min\. \| Usually 1 min \(/);
  expect(links.at(-1)?.told).toContain('overlap: skip');
  const { insight } = internalsOf(stage.carillon).services;
  const range = { from: Date.parse(t('05:30:00')), to: Date.parse(t('10:00:00')) } as never;
  const { projected } = await insight.timeline(
    { namespace: 'default', id: 's' },
    { ...(range as { from: never; to: never }), limit: 10 },
  );
  // It is expected to go on as long as it has been going, and no longer.
  expect(projected.map(({ at, tooLong }) => [at.slice(11, 13), tooLong?.goingMs])).toEqual([
    ['06', 90 * 60_000],
    ['07', undefined],
    ['08', undefined],
    ['09', undefined],
    ['10', undefined],
  ]);
});

test('a run that the overlap policy stopped names the policy', async () => {
  await using stage = await aSchedule({
    every: '1h',
    run: 'long',
    input: { ms: 90 * 60_000 },
    overlap: 'cancelOther',
  });
  await stage.advance('3h');
  const { links } = await storyOf(stage, t('01:00:00'));
  expect(links.at(-1)?.told).toMatch(/, so that a later one could start\. \| overlap: cancelOther/);
});

test('a schedule without times says that its spec names none', async () => {
  await using stage = await aSchedule({ every: undefined } as never);
  await stage.advance('1h');
  const { answer, links } = await storyOf(stage, t('00:30:00'));
  expect(answer).toBe('notInSpec');
  expect(told(links)[0]).toMatch(/^The spec names no times\./);
});

test('a pause of its own rule is told without the note of the engine', async () => {
  await using stage = await aSchedule({ every: '1h', run: 'long', timeout: '1m', pauseAfterFailures: 1 });
  await stage.advance('3h');
  const { answer, text } = await storyOf(stage, t('02:00:00'));
  expect(answer).toBe('paused');
  expect(text).toMatch(/^The schedule is paused by its own rule since [^("]*\.$/);
});

test('the end of a run is told in words', async () => {
  await using stage = await aSchedule({ every: '1h', run: 'long', timeout: '10m' });
  await stage.advance('90m');
  expect((await storyOf(stage, t('01:00:00'))).text).toContain(' timed out after 10 min.');
});
