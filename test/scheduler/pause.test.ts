import { describe, expect, test } from 'vitest';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import { aSchedule, aStage, t } from './stage.ts';

describe('a paused schedule', () => {
  test('starts nothing; its slots get one row with who, when and why', async () => {
    await using stage = await aSchedule();
    await stage.advance('2m');
    await stage.schedules.pause('s', { note: 'maintenance', actor: 'ann' });
    await stage.advance('5m');
    expect(stage.times).toEqual(['00:01:00', '00:02:00']);
    expect((await stage.why(t('00:05:00'))).text).toBe(
      'The schedule is paused by ann since 2026-01-01T00:02:00Z ("maintenance").',
    );
    await stage.schedules.resume('s');
    await stage.advance('1m');
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 started',
      '00:03:00–00:07:00 ×5 paused',
      '00:08:00 started',
    ]);
    expect(await stage.why(t('00:05:00'))).toMatchObject({ answer: 'paused', detail: { pausedBy: 'ann' } });
  });

  test('shows its note and keeps showing coming times', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'because' });
    await stage.advance('90s');
    const { status, paused, note, future, next } = await stage.describe();
    expect({ status, note, next }).toEqual({ status: 'paused', note: 'because', next: null });
    expect(paused).toMatchObject({ by: 'embedded', note: 'because' });
    expect(future[0]?.nominal).toBe(Date.parse(t('00:02:00')));
  });

  test('costs nothing: it has no wake time', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s');
    const [row] = await stage.world.store.read({
      keys: [{ namespace: 'default', archetype: 'schedule', id: 's' }],
    });
    expect(row?.wakeAt).toBeNull();
  });

  test('may be created paused, with a note and the first token', async () => {
    await using stage = await aSchedule({ paused: 'not yet' });
    expect(await stage.describe()).toMatchObject({ status: 'paused', token: 1, paused: { note: 'not yet' } });
    await stage.advance('3m');
    await stage.schedules.resume('s', { note: 'go' });
    expect(await stage.describe()).toMatchObject({ status: 'running', token: 2, note: 'go' });
    expect(await stage.ledger()).toEqual(['00:01:00–00:03:00 ×3 paused']);
  });

  test('a rehearsed resume says what becomes of the slots of the pause', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 30_000 }, catchup: '1h' });
    const { schedules, insight } = internalsOf(stage.carillon).services;
    const name = { namespace: 'default', id: 's' };
    const by = { actor: 'ann', door: 'test' };
    const told = async (missed: 'all' | 'once' | 'skip') =>
      (await insight.effects(name, by, (caller) => schedules.resume(name, { ...caller, missed }))).text;
    await stage.schedules.pause('s');
    expect(await told('all')).toEqual(['The schedule resumes.', 'No slot fell into the pause.']);
    await stage.advance('9m');
    expect(await told('all')).toEqual([
      'The schedule resumes.',
      '9 slots fell into the pause.',
      '1 run starts at once.',
      '8 slots are skipped: the run before is still going (overlap policy).',
    ]);
    expect((await told('skip')).slice(1)).toEqual([
      '9 slots fell into the pause.',
      '9 slots of the pause do not run.',
    ]);
  });

  test('pausing again keeps the time of the first pause and takes the new reason', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'one', actor: 'ann' });
    await stage.advance('1m');
    await stage.schedules.pause('s', { note: 'two', actor: 'bob' });
    expect((await stage.describe()).paused).toEqual({
      at: Date.parse(t('00:00:00')),
      by: 'bob',
      note: 'two',
    });
  });

  test('resuming one that runs changes nothing but the note', async () => {
    await using stage = await aSchedule();
    await stage.schedules.resume('s', { note: 'why not' });
    await stage.advance('1m');
    expect(await stage.ledger()).toEqual(['00:01:00 started']);
  });

  test('waiting starts of its own give way at once; asked-for ones stay', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 200_000 }, overlap: 'bufferAll' });
    await stage.advance('2m');
    await stage.schedules.trigger('s');
    await stage.schedules.pause('s', { note: 'stop' });
    expect(await stage.ledger()).toEqual([
      '00:01:00 started',
      '00:02:00 paused',
      'trigger:1 00:02:00 buffered',
    ]);
    await stage.advance('3m');
    expect((await stage.ledger()).at(-1)).toBe('trigger:1 00:02:00 started');
  });

  test('the end of a run that was open is still recorded', async () => {
    await using stage = await aSchedule({ run: 'long', input: { ms: 90_000 } });
    await stage.advance('1m');
    await stage.schedules.pause('s');
    await stage.advance('2m');
    expect((await stage.describe()).recent).toMatchObject([{ state: 'completed', outcome: 'completed' }]);
  });

  test('deleted while paused, its slots are accounted for as paused', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'x' });
    await stage.advance('3m');
    await stage.schedules.delete('s');
    expect(await stage.ledger()).toEqual(['00:01:00–00:03:00 ×3 paused']);
  });

  test('given a new spec while paused, the old slots are paused, not superseded', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'x' });
    await stage.advance('3m');
    await stage.schedules.update('s', { every: '2m', run: 'work' });
    await stage.advance('3m');
    await stage.schedules.resume('s');
    await stage.advance('2m');
    expect(await stage.ledger()).toEqual([
      '00:01:00–00:03:00 ×3 paused',
      '00:04:00–00:06:00 ×2 paused',
      '00:08:00 started',
    ]);
  });
});

describe('resuming', () => {
  test.each([
    { missed: 'skip', ledger: ['00:01:00–00:04:00 ×4 paused'] },
    { missed: 'once', ledger: ['00:01:00–00:03:00 ×3 coalesced', '00:04:00 startedLate'] },
    {
      missed: 'all',
      ledger: [
        '00:01:00 startedLate',
        '00:02:00 startedLate',
        '00:03:00 startedLate',
        '00:04:00 startedLate',
      ],
    },
  ] as const)('with missed $missed', async ({ missed, ledger }) => {
    await using stage = await aSchedule({ overlap: 'bufferAll' });
    await stage.schedules.pause('s');
    await stage.advance('270s');
    await stage.schedules.resume('s', { missed });
    await stage.world.settle();
    expect(await stage.ledger()).toEqual(ledger);
  });

  test('with missed all runs slots older than the window too, also those that must wait their turn', async () => {
    await using stage = await aSchedule({
      every: '1h',
      overlap: 'bufferAll',
      catchup: '1m',
      run: 'long',
      input: { ms: 10_000 },
    });
    await stage.schedules.pause('s');
    await stage.advance('5h');
    await stage.schedules.resume('s', { missed: 'all' });
    await stage.advance('1m');
    expect(stage.times).toEqual(['01:00:00', '02:00:00', '03:00:00', '04:00:00', '05:00:00']);
  });

  test('slots that were due before the pause are not swallowed by it', async () => {
    await using stage = await aSchedule({ overlap: 'allowAll' });
    stage.world.crash(0);
    await stage.advance('2m');
    await stage.world.restart(0);
    await stage.schedules.pause('s');
    await stage.advance('1m');
    expect(stage.times).toEqual(['00:01:00', '00:02:00']);
  });

  test('a single date that passed while paused never runs, and the schedule closes idle', async () => {
    await using stage = await aSchedule({ at: t('00:10:00'), idleClose: '1h' });
    await stage.schedules.pause('s');
    await stage.advance('2h');
    expect((await stage.describe()).status).toBe('paused');
    await stage.schedules.resume('s');
    await stage.advance('59m');
    expect((await stage.describe()).status).toBe('ended');
    await stage.advance('1m');
    expect((await stage.describe()).status).toBe('closed');
    expect(await stage.ledger()).toEqual(['00:10:00 paused']);
  });
});

describe('a timed pause', () => {
  test('ends by itself, and the ledger and the audit know it', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'lunch', until: t('00:03:30') });
    await stage.advance('5m');
    expect(await stage.ledger()).toEqual([
      '00:01:00–00:03:00 ×3 paused',
      '00:04:00 started',
      '00:05:00 started',
    ]);
    const [latest] = (await stage.schedules.audit('s')).items;
    expect(latest).toMatchObject({ actor: 'timer', door: 'scheduler', action: 'resume' });
  });

  test('replaced by an open-ended one does not end', async () => {
    await using stage = await aSchedule();
    await stage.schedules.pause('s', { note: 'lunch', until: t('00:03:30') });
    await stage.schedules.pause('s', { note: 'for good' });
    await stage.advance('1d');
    expect((await stage.describe()).status).toBe('paused');
  });

  test('ends although every node was down when it should have', async () => {
    await using stage = await aStage();
    await stage.create({ overlap: 'allowAll' });
    await stage.schedules.pause('s', { note: 'lunch', until: t('00:03:30') });
    await stage.down('10m');
    await stage.advance('1m');
    // The pause ended when a node was there to end it.
    expect(await stage.ledger()).toEqual(['00:01:00–00:10:00 ×10 paused', '00:11:00 started']);
  });
});

describe('pausing after failures', () => {
  test('happens at the k-th failure in a row, with the failed run in the note, and raises the token', async () => {
    await using stage = await aSchedule({ run: 'fail', pauseAfterFailures: 2 });
    await stage.advance('1m');
    const { token } = await stage.describe();
    await stage.advance('2m');
    const { status, paused, failures, token: later } = await stage.describe();
    expect({ status, failures }).toEqual({ status: 'paused', failures: 2 });
    expect(paused).toMatchObject({ by: 'policy', note: 'paused, workflow failed: s-2026-01-01T00:02:00Z' });
    expect(later).toBeGreaterThan(token);
    await expect(stage.schedules.update('s', { run: 'work' }, { token })).rejects.toMatchObject({
      reason: 'CONFLICT_TOKEN_MISMATCH',
    });
    const [audited] = (await stage.schedules.audit('s')).items;
    expect(audited).toMatchObject({ actor: 'policy', door: 'scheduler', action: 'pause' });
    expect(stage.performed).toHaveLength(2);
  });

  test('counts timeouts and says so', async () => {
    await using stage = await aSchedule({ run: 'long', timeout: '10s', pauseAfterFailures: 1 });
    await stage.advance('2m');
    expect((await stage.describe()).note).toBe('paused, workflow timedout: s-2026-01-01T00:01:00Z');
  });

  test.each(['cancel', 'terminate'] as const)('does not count a %s', async (how) => {
    await using stage = await aSchedule({ run: 'long', pauseAfterFailures: 1 });
    await stage.advance('1m');
    const [run] = await stage.runs();
    await stage.carillon.runs[how](run?.id as string);
    await stage.world.settle();
    expect(await stage.describe()).toMatchObject({ status: 'running', failures: 0 });
    expect((await stage.describe()).recent).toMatchObject([
      { outcome: how === 'cancel' ? 'cancelled' : 'terminated' },
    ]);
  });

  test('without the policy a failure is recorded and the schedule goes on', async () => {
    await using stage = await aSchedule({ run: 'fail', retry: { attempts: 2, initial: '1s' } });
    await stage.advance('3m');
    expect(await stage.describe()).toMatchObject({ status: 'running', failures: 2 });
    expect((await stage.describe()).recent.map((start) => start.state)).toEqual(['completed', 'completed']);
  });
});

describe('time that passes right after a resume', () => {
  test('is accounted for at once by the next transition', async () => {
    await using stage = await aSchedule({ every: '1m', overlap: 'allowAll' });
    await stage.schedules.pause('s');
    await stage.advance('2m');
    await stage.schedules.resume('s');
    await stage.down('3m');
    expect(stage.times).toEqual(['00:03:00', '00:04:00', '00:05:00']);
  });
});
