/** What pages read, over half a day of one small fleet in virtual time: the same on every store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { patchDefinition } from '../../../packages/carillon/src/service/merge-patch.ts';
import { readScheduleInput } from '../../../packages/carillon/src/service/schedule-input.ts';
import type { Caller } from '../../../packages/carillon/src/service/schedule-service.ts';
import type { Services } from '../../../packages/carillon/src/service/services.ts';
import type { Store } from '../../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';

const hour = 3_600_000;
const minute = 60_000;
/** New York's clock is set back at 06:00Z of the next day. */
const start = Date.UTC(2026, 9, 31, 22) as Instant;
const at = (hours: number) => (start + hours * hour) as Instant;
const iso = (hours: number) => new Date(at(hours)).toISOString().replace('.000Z', 'Z');
const end = 16.2;
const slowSlot = at(4);
const by: Caller = { actor: 'Ana', door: 'test' };
const span = { from: start, to: at(end) };

const named = (id: string) => ({ namespace: 'default', id });

async function play(world: CarillonWorld): Promise<void> {
  const { schedules } = world.carillon();
  const common = { zone: 'America/New_York', run: 'work', owner: 'us' };
  await schedules.create('sync', { ...common, cron: '0,30 * * * *', tags: ['a'] });
  await schedules.create('roster', { ...common, cron: '30 1 * * *' });
  await schedules.create('fails', { ...common, cron: '15 * * * *', run: 'fail' });
  await schedules.create('idle', { ...common, cron: '0 * * * *', excludeDates: ['2027-01-01'] });
  await world.advanceTo(at(5.1));
  await schedules.pause('idle', { actor: 'Mara', note: 'a reason' });
  await world.advanceTo(at(7.1));
  await schedules.resume('idle', { actor: 'Jonas' });
  await world.advanceTo(at(8.1));
  await schedules.patch('sync', { missed: 'once', catchup: '2h' }, { actor: 'Ana', note: 'once is enough' });
  await world.advanceTo(at(10.2));
  await internalsOf(world.carillon()).services.tally.flush();
  world.crash(0);
  await world.advanceTo(at(11.7));
  await world.restart(0);
  await world.advanceTo(at(end));
  await internalsOf(world.carillon()).services.tally.flush();
}

export function exerciseInsight(name: string, open: (clock: VirtualClock) => Promise<Store>): void {
  describe(`insight on ${name}`, () => {
    let world: CarillonWorld;
    let services: Services;

    beforeAll(async () => {
      const clock = new VirtualClock(start);
      world = new CarillonWorld({
        clock,
        store: await open(clock),
        expectFailures: true,
        setup: (carillon, { sleep }) => {
          carillon.handle('work', async ({ schedule, scheduledAt, signal }) => {
            const isSlow = schedule === 'sync' && scheduledAt === slowSlot;
            await sleep(isSlow ? 83 * minute : 5 * minute, signal);
          });
          carillon.handle('fail', () => {
            throw new Error('on purpose');
          });
          const { tally } = internalsOf(carillon).services;
          carillon.subscribe((event) => tally.add(event));
        },
      });
      await world.start();
      await play(world);
      services = internalsOf(world.carillon()).services;
    }, 60_000);

    afterAll(async () => {
      world.crash(0);
      await world.store.close();
    });

    const explain = async (id: string, hours: number) => {
      const [story] = await services.insight.explain(named(id), at(hours));
      if (story === undefined) expect.fail('there is always a story');
      return story;
    };

    test('counts states, and sorts what needs a person first', async () => {
      expect(await services.insight.counts('default', {})).toMatchObject({
        total: 4,
        running: 4,
        paused: 0,
        failing: 1,
        attention: 1,
        late: 0,
      });
      const query = { namespace: 'default', sort: 'attention', strip: true } as const;
      const { items } = await services.insight.list({ ...query, limit: 10 });
      expect(items.map(({ id }) => id)).toEqual(['fails', 'idle', 'roster', 'sync']);
      expect(items[0]?.attention).toMatchObject({ kind: 'failing', text: '15 failures in a row' });
      expect(items[0]?.strip?.slots.at(-1)).toMatchObject({ verdict: 'started', run: { outcome: 'failed' } });
      expect(items[3]?.strip).toMatchObject({ p50Ms: 5 * minute });
      const paged: string[] = [];
      let after: string | undefined;
      do {
        const page = await services.insight.list({
          ...query,
          limit: 1,
          ...(after === undefined ? {} : { after }),
        });
        paged.push(...page.items.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(paged).toEqual(['fails', 'idle', 'roster', 'sync']);
    });

    test('a timeline has every slot, and its bins add up to the same', async () => {
      const timeline = await services.insight.timeline(named('sync'), {
        from: start,
        to: at(end + 2),
        limit: 1000,
      });
      const counted: Record<string, number> = {};
      for (const { verdict, count = 1 } of timeline.slots) counted[verdict] = (counted[verdict] ?? 0) + count;
      expect(counted).toEqual({ started: 27, skippedOverlap: 2, coalesced: 2, startedLate: 1 });
      expect(timeline.projected).toHaveLength(4);
      expect(timeline.truncated).toBe(false);
      expect(timeline.runs.find(({ at: slot }) => slot === iso(4))?.tookMs).toBe(83 * minute);
      for (const bin of ['1h', '6h', '1d']) {
        const { bins } = await services.insight.bins(named('sync'), { from: start, to: at(end + 2), bin });
        const added: Record<string, number> = {};
        for (const { verdicts } of bins) {
          for (const [verdict, count] of Object.entries(verdicts))
            added[verdict] = (added[verdict] ?? 0) + count;
        }
        expect(added).toEqual(counted);
      }
    });

    test('a stretch of equal verdicts is counted in the bins of its slots', async () => {
      const { bins } = await services.insight.bins(named('idle'), { from: at(5), to: at(8), bin: '1h' });
      expect(bins.map(({ verdicts }) => verdicts.paused ?? 0)).toEqual([0, 1, 1, 0]);
    });

    test('stretches name who paused, who edited what, the silence and the clock change', async () => {
      const idle = await services.insight.stretches(named('idle'), span);
      expect(idle.pauses).toEqual([
        { from: iso(5.1), to: iso(7.1), by: 'Mara', note: 'a reason', until: null, endedBy: 'Jonas' },
      ]);
      const sync = await services.insight.stretches(named('sync'), span);
      expect(sync.versions.map(({ by: who, note }) => [who, note])).toEqual([
        ['embedded', ''],
        ['Ana', 'once is enough'],
      ]);
      expect(sync.versions[1]?.changes).toEqual(
        expect.arrayContaining([{ path: 'policy.missed', before: 'all', after: 'latest' }]),
      );
      expect(sync.silences).toHaveLength(1);
      expect(sync.clockChanges).toMatchObject([{ at: iso(8), zone: 'America/New_York', byMinutes: -60 }]);
      const roster = await services.insight.timeline(named('roster'), { ...span, limit: 100 });
      expect(roster.ruledOut).toEqual([{ at: iso(8.5), verdict: 'dstFold' }]);
    });

    test('a skipped slot is explained by the run in its way, and other policies are tried', async () => {
      const story = await explain('sync', 4.5);
      expect(story.chain.map(({ type }) => type)).toEqual(['spec', 'run', 'rule', 'verdict']);
      expect(story.chain[1]?.subject).toMatchObject({ type: 'run', id: story.detail?.blockedBy });
      const answers = Object.fromEntries(story.alternatives.map(({ value, answer }) => [value, answer]));
      expect(answers).toMatchObject({ bufferOne: 'startedLate', bufferAll: 'startedLate' });
      expect(story.saw).toMatchObject({ overlap: 'skip', limit: 1, running: 1 });
    });

    test('a merged slot is explained by the silence, and would have run with another policy', async () => {
      const story = await explain('sync', 10.5);
      expect(story.answer).toBe('coalesced');
      expect(story.chain.map(({ type }) => type)).toEqual(['spec', 'silence', 'rule', 'slot', 'verdict']);
      expect(story.alternatives).toContainEqual(
        expect.objectContaining({ setting: 'missed', value: 'all', answer: 'startedLate' }),
      );
    });

    test('a slot of a pause names the person, and what a resume could have done', async () => {
      const story = await explain('idle', 6);
      expect(story.chain[1]).toMatchObject({ type: 'person', detail: 'a reason', subject: { name: 'Mara' } });
      expect(story.alternatives.map(({ value, answer }) => [value, answer])).toEqual([
        ['once', 'coalesced'],
        ['all', 'startedLate'],
      ]);
    });

    test('the second copy of an hour would have run under another rule', async () => {
      const story = await explain('roster', 8.5);
      expect(story.answer).toBe('dstFold');
      expect(story.alternatives).toContainEqual(
        expect.objectContaining({ setting: 'dst.fold', value: 'both', answer: 'started' }),
      );
    });

    test('series add up to the ledgers', async () => {
      const ledger: Record<string, number> = {};
      for (const id of ['fails', 'idle', 'roster', 'sync']) {
        for (const { verdict, count } of (await services.schedules.slots(named(id), { limit: 1000 })).items) {
          ledger[verdict] = (ledger[verdict] ?? 0) + count;
        }
      }
      const { total } = await services.insight.series({ namespace: 'default', ...span, bin: '1h' });
      expect(total.verdicts).toEqual(ledger);
      expect(total.outcomes.failed).toBe(15);
    });

    test('load and clock changes cover all schedules', async () => {
      const load = await services.insight.load({
        namespace: 'default',
        from: at(20),
        to: at(22),
        bin: '1h',
        zone: 'UTC',
      });
      expect(load).toMatchObject({ counted: 4, schedules: 4 });
      expect(load.bins.map(({ starts }) => starts)).toEqual([4, 4, 2]);
      expect(load.peaks[0]).toMatchObject({ starts: 2, schedules: ['idle', 'sync'] });
      const changes = await services.insight.clockChanges('default', { from: at(20), to: at(24 * 300) });
      expect(changes.items).toMatchObject([
        { zone: 'America/New_York', byMinutes: 60, schedules: 4, touchedCount: 0 },
      ]);
    });

    test('a dry run tells what the change then does, and changes nothing', async () => {
      const { schedules, insight } = services;
      const name = named('sync');
      const before = await schedules.row(name);
      const told = await insight.effects(name, by, (caller) => schedules.pause(name, caller));
      expect(told).toMatchObject({
        status: { before: 'running', after: 'paused' },
        next: { before: iso(16.5), after: null },
        passedOver: { count: 48, isExact: true },
      });
      expect(await schedules.row(name)).toEqual(before);
      await schedules.pause(name, by);
      expect((await schedules.describe(name)).status).toBe('paused');
      const resumed = await insight.effects(name, by, (caller) => schedules.resume(name, caller));
      expect(resumed.next.after).toBe(iso(16.5));
      await schedules.resume(name, by);
      const edited = await insight.effects(name, by, (caller) =>
        schedules.update(name, (definition) => patchDefinition(definition, { tags: ['b'] }), caller),
      );
      expect(edited.changes).toEqual([{ path: 'tags', before: ['a'], after: ['b'] }]);
      const range = { from: at(12), to: at(13) };
      const backfilled = await insight.effects(
        name,
        by,
        (caller) => schedules.backfill(name, range, caller),
        { range },
      );
      expect(backfilled.range).toMatchObject({ count: 3, isExact: true });
      expect(backfilled.range?.items.map(({ verdict }) => verdict)).toEqual([
        'started',
        'started',
        'started',
      ]);
      const tried = await insight.effects(
        name,
        by,
        (caller) =>
          schedules.update(
            name,
            (definition) => patchDefinition(definition, { overlap: 'bufferAll' }),
            caller,
          ),
        { withTrial: true },
      );
      // One run of the half day takes as long as three slots.
      expect(tried.trial?.before).toMatchObject({ skippedOverlap: expect.any(Number) });
      expect(tried.trial?.after.skippedOverlap).toBeUndefined();
      expect(tried.trial?.after.startedLate).toBeGreaterThan(0);
      const created = await insight.effects(named('new'), by, (caller) =>
        schedules.create(named('new'), draftOf('new'), caller),
      );
      expect(created.status).toEqual({ before: 'absent', after: 'running' });
      expect((await insight.counts('default', {})).total).toBe(4);
    });

    test('a bulk dry run tells each outcome apart', async () => {
      const request = { verb: 'delete', namespace: 'default', ids: ['sync', 'nobody'] } as const;
      const { items, failed, text } = await services.insight.bulkEffects(request, by);
      expect(items.map(({ id, ok, effects }) => [id, ok, effects?.status.after])).toEqual([
        ['sync', true, 'closed'],
        ['nobody', false, undefined],
      ]);
      expect(failed).toBe(1);
      expect(text).toHaveLength(2);
      expect((await services.schedules.describe(named('sync'))).status).toBe('running');
    });

    test('the index follows what is created, paused and deleted', async () => {
      const { schedules, insight } = services;
      await schedules.create(named('another'), draftOf('another'), by);
      expect((await insight.counts('default', {})).total).toBe(5);
      await schedules.pause(named('another'), by);
      expect(await insight.counts('default', {})).toMatchObject({ total: 5, paused: 1 });
      await schedules.delete(named('another'), by);
      expect(await insight.counts('default', {})).toMatchObject({ total: 4, paused: 0 });
    });

    test('views and keys are kept', async () => {
      const { views, keys } = services;
      await views.save('default', { name: 'mine', place: 'schedules', query: 'tag=a' }, by);
      await views.save('default', { name: 'mine', place: 'schedules', query: 'tag=b' }, by);
      expect(await views.list('default')).toMatchObject([{ name: 'mine', query: 'tag=b', savedBy: 'Ana' }]);
      expect(await views.list('elsewhere')).toEqual([]);
      await views.remove('default', 'mine', by);
      await expect(views.remove('default', 'mine', by)).rejects.toMatchObject({ reason: 'VIEW_NOT_FOUND' });
      const key = { name: 'ci', hash: `sha256:${'0'.repeat(64)}`, role: 'viewer', namespaces: null };
      await keys.add(key, by);
      await expect(keys.add(key, by)).rejects.toMatchObject({ reason: 'KEY_EXISTS' });
      expect(await keys.list()).toMatchObject([{ name: 'ci', createdBy: 'Ana' }]);
      await keys.remove('ci', by);
      expect(await keys.list()).toEqual([]);
    });
  });
}

function draftOf(id: string) {
  return readScheduleInput({ cron: '0 9 * * *', run: 'work', description: `like ${id}` });
}
