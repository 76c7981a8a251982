/** A check that cannot fail proves nothing: every kind of damage must be found, and no healthy ledger may be blamed. */

import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../packages/carillon/src/base/random.ts';
import { addTime, day, hour, instant, minute } from '../../packages/carillon/src/base/time.ts';
import type { VerifyMaterial, VerifyRun, VerifySlot } from '../../packages/carillon/src/doctor/verify.ts';
import { defaultKept, findingKinds, verifyLedger } from '../../packages/carillon/src/doctor/verify.ts';
import { internalsOf } from '../../packages/carillon/src/embed/internals.ts';
import type { Carillon } from '../../packages/carillon/src/main.ts';
import type { RetentionPolicy } from '../../packages/carillon/src/runtime/retention-policy.ts';
import { CarillonWorld } from '../../packages/carillon/src/testing/index.ts';

const start = instant(Date.UTC(2026, 0, 1));
const at = (hours: number) => addTime(start, hours * hour);

function slot(hours: number, more: Partial<VerifySlot> = {}): VerifySlot {
  const nominal = at(hours);
  const runId = `run-${String(hours).padStart(4, '0')}`;
  const base = { cause: 'auto', nominal, until: nominal, count: 1, verdict: 'started', at: nominal, runId };
  return { ...base, uncounted: false, ...more };
}

/** Hours 1 to 10 ran, 11 to 20 were a pause, 21 to 24 ran. */
function healthy(): VerifyMaterial {
  const ran = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 21, 22, 23, 24].map((each) => slot(each));
  const pause = slot(11, { until: at(20), count: 10, verdict: 'paused', runId: null });
  const spec = { intervals: [{ everyMs: hour }] };
  return {
    now: addTime(at(24), minute / 2),
    createdAt: start,
    closedAt: null,
    cursor: at(24),
    waiting: [],
    versions: [{ at: start, spec, seed: '', timeZoneVersion: '', paused: null }],
    slots: [...ran, pause].sort((a, b) => a.nominal - b.nominal),
    runs: ran.map(({ runId, nominal }) => ({
      id: runId as string,
      cause: 'auto',
      nominal,
      createdAt: nominal,
      isDone: true,
    })),
    kept: defaultKept,
    isLive: true,
  };
}

const found = (material: VerifyMaterial) =>
  verifyLedger(material).findings.map(({ kind, nominal, count }) => [kind, (nominal - start) / hour, count]);

const without = (material: VerifyMaterial, hours: number) => ({
  ...material,
  slots: material.slots.filter(({ nominal }) => nominal !== at(hours)),
});

const changed = (material: VerifyMaterial, hours: number, more: Partial<VerifySlot>) => ({
  ...material,
  slots: material.slots.map((each) => (each.nominal === at(hours) ? { ...each, ...more } : each)),
});

const added = (material: VerifyMaterial, ...more: readonly VerifySlot[]) => ({
  ...material,
  slots: [...material.slots, ...more].sort((a, b) => a.nominal - b.nominal),
});

describe('damage', () => {
  test('none in a healthy ledger', () => {
    expect(verifyLedger(healthy())).toMatchObject({
      findings: [],
      slots: 24,
      rows: 15,
      runs: 14,
      versions: 1,
    });
  });

  test.each([1, 5, 24])('a missing row, at %i', (hours) => {
    expect(found(without(healthy(), hours))).toEqual([
      ['missing', hours, 1],
      ['runUnknown', hours, 1],
    ]);
  });

  test('a missing stretch is one finding', () => {
    expect(found(without(healthy(), 11))).toEqual([['missing', 11, 10]]);
  });

  test('an empty ledger', () => {
    expect(found({ ...healthy(), slots: [], runs: [] })).toEqual([['missing', 1, 24]]);
  });

  test('a row within a stretch, a stretch over another', () => {
    const skipped = { verdict: 'skippedOverlap', runId: null };
    expect(found(added(healthy(), slot(15, skipped)))).toEqual([['doubled', 15, 1]]);
    const long = slot(18, { ...skipped, until: at(20), count: 3 });
    expect(found(added(healthy(), long))).toEqual([['overlapping', 18, 3]]);
    const across = added(without(healthy(), 21), slot(19, { ...skipped, until: at(21), count: 3 }));
    expect(found({ ...across, runs: across.runs.filter(({ nominal }) => nominal !== at(21)) })).toEqual([
      ['overlapping', 19, 3],
    ]);
  });

  test('a verdict for a time the spec does not name', () => {
    expect(found(added(healthy(), slot(3.5, { verdict: 'missedWindow', runId: null })))).toEqual([
      ['unexpected', 3.5, 1],
    ]);
  });

  test('a stretch with another number of slots than the spec, unless it says so', () => {
    expect(found(changed(healthy(), 11, { count: 9 }))).toEqual([['miscounted', 11, 9]]);
    expect(found(changed(healthy(), 11, { until: at(19) }))).toEqual([
      ['miscounted', 11, 10],
      ['missing', 20, 1],
    ]);
    expect(found(changed(healthy(), 11, { count: 9, uncounted: true }))).toEqual([]);
  });

  test('a slot that is said to wait and waits nowhere', () => {
    const stuck = changed(healthy(), 24, { verdict: 'buffered', runId: null });
    const runs = stuck.runs.slice(0, -1);
    expect(found({ ...stuck, runs })).toEqual([['stuck', 24, 1]]);
    expect(found({ ...stuck, runs, waiting: [{ cause: 'auto', nominal: at(24) }] })).toEqual([]);
  });

  test('runs: gone, shared, doubled, unknown', () => {
    const material = healthy();
    expect(found({ ...material, runs: material.runs.slice(1) })).toEqual([['runMissing', 1, 1]]);
    expect(found(changed(material, 3, { runId: null }))).toContainEqual(['runMissing', 3, 1]);
    expect(found(changed(material, 3, { runId: 'run-0002' }))).toEqual([
      ['runShared', 3, 1],
      ['runUnknown', 3, 1],
    ]);
    const twin = { id: 'twin', cause: 'auto', nominal: at(4), createdAt: at(5), isDone: true };
    expect(found({ ...material, runs: [...material.runs, twin] })).toEqual([
      ['runDoubled', 4, 1],
      ['runUnknown', 4, 1],
    ]);
  });

  test('one run per slot, whatever asked for it', () => {
    const material = healthy();
    const again = { id: 'again', cause: 'backfill:1', nominal: at(4), createdAt: at(30), isDone: true };
    const runs = (...more: readonly VerifyRun[]) => ({ ...material, runs: [...material.runs, ...more] });
    // A person may run a finished slot again, one run after the other.
    expect(found(runs(again))).toEqual([]);
    expect(found(runs(again, { ...again, id: 'third', isDone: false }))).toEqual([]);
    // By itself a slot runs only when no run of it exists.
    expect(found(runs({ ...again, createdAt: at(3) }))).toEqual([['runDoubled', 4, 1]]);
    // Nothing runs a slot while another run of it is unfinished.
    const open = material.runs.map((run) => (run.nominal === at(4) ? { ...run, isDone: false } : run));
    expect(found({ ...material, runs: [...open, { ...again, isDone: false }] })).toEqual([
      ['runBeside', 4, 1],
    ]);
    // Two triggers for now have no slot, and may have one time.
    const trigger = { ...again, cause: 'trigger:1', isDone: false };
    expect(found(runs(trigger, { ...trigger, id: 'other', cause: 'trigger:2' }))).toEqual([]);
  });

  test('a slot that is due for long, unless no node is at work or it is paused', () => {
    const late = { ...healthy(), now: addTime(at(25), 5 * minute) };
    expect(found(late)).toEqual([['overdue', 25, 1]]);
    const offline = verifyLedger({ ...late, isLive: false });
    expect(offline.findings).toEqual([]);
    expect(offline.notes.join()).toContain('offline');
    const [version] = late.versions;
    const paused = { ...late, versions: [{ ...version, paused: { at: at(24) } }] } as VerifyMaterial;
    expect(found(paused)).toEqual([]);
  });

  test('a spec that cannot be searched', () => {
    // Left out second by second, so that no stretch can be passed in one step.
    const halves = [{ text: '*/2 * * * * *' }, { text: '1-59/2 * * * * *' }];
    const spec = { intervals: [{ everyMs: 1000 }], exclude: { cron: halves } };
    const versions = [{ at: start, spec, seed: '', timeZoneVersion: '', paused: null }];
    const late = { ...healthy(), versions, slots: [], runs: [], cursor: at(2400 * 60), now: at(2400 * 60) };
    expect(found(late)).toContainEqual(['unsearchable', expect.any(Number), 0]);
  });

  test('every kind has a test here', async () => {
    const { readFile } = await import('node:fs/promises');
    const text = await readFile(new URL(import.meta.url), 'utf8');
    expect(Object.keys(findingKinds).filter((kind) => !text.includes(`'${kind}'`))).toEqual([]);
  });
});

describe('scope', () => {
  test('each version counts while it was in force', () => {
    const material = healthy();
    const second = { intervals: [{ everyMs: 2 * hour }] };
    const versions = [
      ...material.versions,
      { at: addTime(at(22), 1), spec: second, seed: '', timeZoneVersion: '', paused: null },
    ];
    const old = verifyLedger({ ...material, versions });
    expect(old.findings.map(({ kind }) => kind)).toEqual(['unexpected']);
    const right = without(
      { ...material, versions, runs: material.runs.filter((run) => run.nominal !== at(23)) },
      23,
    );
    expect(found(right)).toEqual([]);
  });

  test('what retention may have taken proves nothing, and is said', () => {
    const material = without(healthy(), 1);
    const runs = material.runs.slice(1);
    const byAge = verifyLedger({ ...material, runs, kept: { ...defaultKept, ledgerMs: 23 * hour } });
    expect(byAge.findings).toEqual([]);
    expect(byAge.notes[0]).toContain('may have been forgotten');
    const byNumber = verifyLedger({ ...material, runs, kept: { ...defaultKept, ledgerRows: 14 } });
    expect(byNumber.findings).toEqual([]);
    // One more would have been kept.
    expect(found({ ...material, runs, kept: { ...defaultKept, ledgerRows: 15 } })).toEqual([
      ['missing', 1, 1],
    ]);
    const [version] = material.versions;
    const versions = [{ ...version, at: addTime(at(1), 1) }] as VerifyMaterial['versions'];
    expect(verifyLedger({ ...material, runs, versions }).findings).toEqual([]);
  });

  test('runs that may have been forgotten are not missed', () => {
    const material = { ...healthy(), runs: healthy().runs.slice(2) };
    expect(found({ ...material, kept: { ...defaultKept, runs: 12 } })).toEqual([]);
    expect(found({ ...material, kept: { ...defaultKept, runsMs: 22 * hour } })).toEqual([]);
    expect(found({ ...material, kept: { ...defaultKept, runs: 13 } })).toHaveLength(2);
  });

  test('from and to narrow it', () => {
    const material = without(without(healthy(), 3), 22);
    const only = {
      ...material,
      runs: [],
      slots: material.slots.map((each) => ({ ...each, verdict: 'paused' })),
    };
    expect(found({ ...only, from: at(4) })).toEqual([['missing', 22, 1]]);
    expect(found({ ...only, to: at(20) })).toEqual([['missing', 3, 1]]);
    expect(found({ ...only, from: at(15), to: at(18) })).toEqual([]);
  });

  test('what happens while it is read is not held against it', () => {
    const grown = added(healthy(), slot(25, { at: at(25) }));
    const run = { id: 'run-0025', cause: 'auto', nominal: at(25), createdAt: at(25), isDone: false };
    expect(found({ ...grown, runs: [...grown.runs, run] })).toEqual([]);
  });
});

async function materialOf(
  carillon: Carillon,
  id: string,
  retention: Partial<RetentionPolicy>,
): Promise<VerifyMaterial> {
  const name = { namespace: 'default', id };
  const history = await internalsOf(carillon).services.schedules.history(name);
  const { items: slots } = await internalsOf(carillon).services.schedules.slots(name, {
    order: 'ascending',
    limit: 100_000,
  });
  const { items: runs } = await internalsOf(carillon).services.schedules.runs(name, { limit: 100_000 });
  return {
    ...history,
    slots: slots.map(({ detail, ...each }) => ({
      ...each,
      uncounted: detail?.includes('"uncounted":true') === true,
    })),
    runs: runs.map(({ id: run, options, state, createdAt }) => {
      const { nominal, cause } = JSON.parse(options) as { nominal: VerifySlot['nominal']; cause: string };
      return { id: run, nominal, cause, createdAt, isDone: state === 'done' };
    }),
    kept: {
      ledgerMs: retention.ledger ?? defaultKept.ledgerMs,
      ledgerRows: retention.ledgerRows ?? defaultKept.ledgerRows,
      runsMs: retention.finishedRuns ?? defaultKept.runsMs,
      runs: retention.runsPerSchedule ?? defaultKept.runs,
    },
    isLive: true,
  };
}

describe('real lives', () => {
  const specs = [
    { every: '7m' },
    { cron: '*/5 * * * *', jitter: '2m' },
    { cron: '30 1,2 * * *', zone: 'America/New_York' },
    { every: '11m', excludeDates: ['2026-03-08'] },
    { cron: 'H * * * *', dst: { fold: 'both' } as const },
  ];
  const policies = ['skip', 'bufferOne', 'bufferAll', 'allowAll', 'cancelOther'] as const;

  test.each(Array.from({ length: 9 }, (_, seed) => seed + 1))(
    'no healthy ledger is blamed, whatever was done to the schedule (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const retention: Partial<RetentionPolicy> =
        seed % 3 === 0
          ? { ledger: 2 * day, ledgerRows: 150, runsPerSchedule: 60, finishedRuns: day, uncounted: 0 }
          : {};
      await using world = await CarillonWorld.start({
        start: '2026-03-06T00:00:00Z',
        seed,
        retention,
        tuning: { engine: { longestSleep: day }, retentionPauseMs: hour },
        setup: (carillon, { sleep }) => {
          carillon.handle('work', ({ signal }) => sleep(random.integer(0, 20) * minute, signal));
        },
      });
      const { schedules } = world.carillon();
      const define = () => ({
        ...random.pick(specs),
        run: 'work',
        overlap: random.pick(policies),
        ...(random.chance(0.2) ? { remaining: random.integer(1, 30) } : {}),
      });
      await schedules.create('one', define());
      for (let step = 0; step < 25; step += 1) {
        await world.advance(random.integer(1, 400) * minute + random.integer(0, 59_999));
        const verb = random.integer(0, 7);
        if (verb === 0) await schedules.update('one', define());
        else if (verb === 1) await schedules.pause('one', { note: 'x' });
        else if (verb === 2)
          await schedules.resume('one', { missed: random.pick(['skip', 'once', 'all'] as const) });
        else if (verb === 3) await schedules.trigger('one');
        else if (verb === 4) {
          const from = addTime(world.now, -random.integer(60, 2000) * minute);
          await schedules.backfill('one', { from, to: addTime(from, 300 * minute) });
        }
        const result = verifyLedger(await materialOf(world.carillon(), 'one', retention));
        expect(result.findings, `step ${step}`).toEqual([]);
      }
      const last = await materialOf(world.carillon(), 'one', retention);
      const rows = last.slots.filter(
        (each) => each.cause === 'auto' && each.nominal > addTime(world.now, -day),
      );
      if (rows.length === 0) return;
      const victim = random.pick(rows);
      const damaged = { ...last, slots: last.slots.filter((each) => each !== victim) };
      expect(verifyLedger(damaged).findings.map(({ kind }) => kind)).toContain('missing');
    },
  );
});
