/** What pages read, over half a day of one small fleet in virtual time: the same on every store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { given } from '../../../packages/carillon/src/base/given.ts';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { patchDefinition } from '../../../packages/carillon/src/service/merge-patch.ts';
import { filteredQuery } from '../../../packages/carillon/src/service/schedule-filter.ts';
import { readScheduleInput } from '../../../packages/carillon/src/service/schedule-input.ts';
import type { Caller } from '../../../packages/carillon/src/service/schedule-service.ts';
import type { Services } from '../../../packages/carillon/src/service/services.ts';
import type { Store } from '../../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';
import { exerciseDays } from './exercise-days.ts';

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
  await schedules.create('fails', {
    ...common,
    cron: '15 * * * *',
    run: 'fail',
    retry: { attempts: 2, initial: '1m', jitter: 0 },
  });
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
    });

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
      const needs = await services.insight.needs('default');
      expect(needs).toMatchObject({
        groups: [{ kind: 'failing', count: 1, failures: { least: 15, most: 15 } }],
        rest: { groups: 0, schedules: 0 },
      });
      expect(needs.groups[0]?.schedules).toEqual([items[0]]);
      const { filter } = filteredQuery({ id: ['sync', 'fails', 'absent'] }, at(0));
      const chosen = await services.insight.list({ ...query, ...given({ filter }), limit: 10 });
      expect(chosen.items.map(({ id }) => id)).toEqual(['fails', 'sync']);
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

    test('bins count the times that the clock ruled out, as the timeline shows them', async () => {
      const query = { from: start, to: at(end) };
      const { ruledOut } = await services.insight.timeline(named('roster'), { ...query, limit: 100 });
      expect(ruledOut.map(({ verdict }) => verdict)).toEqual(['dstFold']);
      const { bins } = await services.insight.bins(named('roster'), { ...query, bin: '1d' });
      const folds = bins.map(({ verdicts }) => verdicts.dstFold ?? 0);
      expect(folds.reduce((sum, count) => sum + count)).toBe(1);
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
      expect(story.chain.map(({ type }) => type)).toEqual(['run', 'run', 'rule', 'verdict']);
      expect(story.chain[0]?.subject).toMatchObject({ type: 'run', id: story.detail?.blockedBy });
      expect(story.chain[2]).toMatchObject({ detail: 'overlap: skip, as created by embedded' });
      const told = story.alternatives.map(({ setting, value, text }) => `${setting} ${value}: ${text}`);
      expect(told).toEqual([
        `overlap bufferOne: started at ${iso(4 + 83 / 60)}, 53 min late`,
        'limit 2: started on time, beside the other',
        'overlap cancelOther: started once the run before it stops',
        `timeout 10m: started on time, the other ended ${iso(4 + 10 / 60)}`,
      ]);
      expect(story.saw).toMatchObject({ overlap: 'skip', limit: 1, running: 1 });
    });

    test('the second slot that one run holds up would have come behind the first', async () => {
      const story = await explain('sync', 5);
      expect(story.chain.at(-1)?.detail).toBe('after 1 other that the same run held up');
      const told = story.alternatives.map(({ setting, value, text }) => `${setting} ${value}: ${text}`);
      // The only place to wait would have been taken.
      expect(told[0]).toBe(`overlap bufferAll: started after ${iso(4 + 83 / 60)}, behind 1 more`);
      expect(told[1]).toBe('limit 3: started on time, beside the other');
    });

    test('every answer has a chain of two to five links, each one sentence and one line', async () => {
      const asked = [
        ['sync', 4.25, 'notInSpec'],
        ['sync', 4.5, 'skippedOverlap'],
        ['sync', 10.5, 'coalesced'],
        ['sync', 11.5, 'startedLate'],
        ['sync', 17, 'notYet'],
        ['sync', -1, 'beforeCreation'],
        ['idle', 6, 'paused'],
        ['fails', 3.25, 'started'],
        ['roster', 8.5, 'dstFold'],
      ] as const;
      for (const [id, hours, answer] of asked) {
        const story = await explain(id, hours);
        expect([id, hours, story.answer]).toEqual([id, hours, answer]);
        expect(story.chain.length).toBeGreaterThanOrEqual(2);
        expect(story.chain.length).toBeLessThanOrEqual(5);
        for (const { text, detail } of story.chain.slice(0, -1)) {
          expect(text).toMatch(/^[^\n]+\.$/);
          expect(text.replace(/\d\.\d/g, '').match(/\. /g)).toBeNull();
          expect(detail).not.toContain('\n');
        }
        for (const { answer: other } of story.alternatives) expect(other).not.toBe(story.answer);
      }
      const near = (await explain('sync', 4.25)).chain.flatMap(({ subject }) => subject ?? []);
      expect(near).toContainEqual({ type: 'slot', at: iso(4) });
      expect(near).toContainEqual({ type: 'slot', at: iso(4.5) });
      const failed = (await explain('fails', 3.25)).chain;
      expect(failed.at(-2)).toMatchObject({
        text: 'It failed after 1 min, in attempt 2.',
        detail: 'on purpose',
      });
      // The verdict tells how the run ended, so it does not come before that.
      expect(failed.at(-1)?.at).toBe(failed.at(-2)?.at);
      const { chain } = await explain('roster', 8.5);
      expect(chain[0]).toMatchObject({ type: 'clock', detail: 'dst.fold: first' });
      expect(chain[1]?.text).toMatch(
        /^The spec names \d\d:\d\d, which comes twice .*the second of the two\.$/,
      );
    });

    test('a timeline tells the attempts of runs that were tried again', async () => {
      const { runs } = await services.insight.timeline(named('fails'), { ...span, limit: 100 });
      expect(runs[0]?.attempts).toEqual([
        { startedAt: iso(0.25), finishedAt: iso(0.25), error: 'on purpose' },
        { startedAt: iso(0.25 + 1 / 60), finishedAt: iso(0.25 + 1 / 60), error: 'on purpose' },
      ]);
      const sync = await services.insight.timeline(named('sync'), { ...span, limit: 100 });
      expect(sync.runs.filter(({ attempts }) => attempts !== undefined)).toEqual([]);
    });

    test('a merged slot is explained by the silence, and would have run with another policy', async () => {
      const story = await explain('sync', 10.5);
      expect(story.answer).toBe('coalesced');
      expect(story.chain.map(({ type }) => type)).toEqual(['silence', 'rule', 'slot', 'verdict']);
      expect(story.chain[1]?.detail).toBe('missed: latest, version 2 by Ana: “once is enough”');
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
      expect(load.peaks).toMatchObject([
        { starts: 2, schedules: ['idle', 'sync'], at: iso(20), times: [iso(20), iso(21), iso(22)], count: 3 },
      ]);
      expect(load.bins.map(({ most }) => most)).toEqual([2, 2, 2]);
      const some = await services.insight.load({
        namespace: 'default',
        from: at(20),
        to: at(22),
        bin: '1h',
        zone: 'UTC',
        filter: { field: '$tags', is: '=', value: 'a' },
      });
      expect(some).toMatchObject({ counted: 1, schedules: 1, peaks: [] });
      expect(some.bins.map(({ starts }) => starts)).toEqual([2, 2, 1]);
      const coming = { namespace: 'default', from: at(20), to: at(24 * 300) };
      const tagged = { field: '$tags', is: '=', value: 'a' } as const;
      const ofSync = await services.insight.clockChanges({ ...coming, filter: tagged });
      expect(ofSync.items).toMatchObject([{ zone: 'America/New_York', schedules: 1 }]);
      const changes = await services.insight.clockChanges(coming);
      expect(changes.items).toMatchObject([
        { zone: 'America/New_York', byMinutes: 60, schedules: 4, touchedCount: 0 },
      ]);
    });

    test('days tell exclusions and pauses, those that are over and those that are not', async () => {
      const { insight, schedules } = services;
      const query = { namespace: 'default', from: start, to: at(24 * 70), zone: 'Europe/Berlin' };
      const excluded = { date: '2027-01-01', label: '', schedules: 1, wholeDay: 1, ids: ['idle'] };
      const over = { firstDay: '2026-11-01', lastDay: '2026-11-01', by: 'Mara', note: 'a reason' };
      expect(await insight.days(query)).toMatchObject({
        excluded: [excluded],
        paused: [{ ...over, schedules: 1, ids: ['idle'] }],
        knownFrom: null,
        truncated: false,
      });
      expect((await insight.days({ ...query, from: at(48) })).paused).toEqual([]);
      const ofSync = { ...query, filter: { field: '$tags', is: '=', value: 'a' } } as const;
      expect(await insight.days(ofSync)).toMatchObject({ excluded: [], paused: [] });
      const moved = ['roster', 'rota'].map((id) => ({ namespace: 'other', id }));
      for (const name of moved) {
        await schedules.create(name, draftOf(name.id), by);
        await schedules.pause(name, { ...by, note: 'a move' });
      }
      const open = await insight.days({ ...query, namespace: 'other' });
      const move = {
        firstDay: '2026-11-01',
        by: 'Ana',
        note: 'a move',
        schedules: 2,
        ids: ['roster', 'rota'],
      };
      expect(open.paused).toEqual([{ ...move, lastDay: null }]);
      for (const name of moved) await schedules.resume(name, by);
      // Another question: answers are given again for a while.
      const closed = await insight.days({ ...query, namespace: 'other', zone: 'Asia/Tokyo' });
      expect(closed.paused).toEqual([{ ...move, lastDay: '2026-11-01' }]);
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
      const done = { state: 'done', outcome: 'completed' };
      expect(backfilled.range?.items.map(({ run }) => run)).toEqual([done, done, done]);
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

    test('the slots of a pause that goes on are the same in every reading, before and after the resume', async () => {
      const { schedules, insight, tally } = services;
      const range = { from: at(17), to: at(24) };
      const draft = (cron: string) => readScheduleInput({ cron, run: 'work', zone: 'UTC' });
      const before = await insight.series({ namespace: 'default', ...range, bin: '1h' });
      await schedules.create(named('asleep'), draft('*/10 * * * *'), by);
      await world.advanceTo(at(17.05));
      await schedules.pause(named('asleep'), { ...by, note: 'a move', until: at(20) });
      await world.advanceTo(at(19.05));
      // 12 slots: 17:10 to 19:00.
      const readings = async () => {
        const timeline = await insight.timeline(named('asleep'), { ...range, limit: 100 });
        const { bins } = await insight.bins(named('asleep'), { ...range, bin: '1h' });
        await tally.flush();
        const series = await insight.series({ namespace: 'default', ...range, bin: '1h' });
        const { items } = await insight.list({ namespace: 'default', sort: 'id', strip: true, limit: 10 });
        const strip = items.find(({ id }) => id === 'asleep')?.strip;
        const paused = ({ verdicts }: { readonly verdicts: Readonly<Record<string, number>> }) =>
          verdicts.paused ?? 0;
        return {
          timeline: timeline.slots
            .filter(({ verdict }) => verdict === 'paused')
            .reduce((sum, { count = 1 }) => sum + count, 0),
          bins: bins.map(paused).slice(0, 3),
          series: series.bins.map(paused).slice(0, 3),
          total: paused(series.total) - paused(before.total),
          strip: strip?.slots.filter(({ verdict }) => verdict === 'paused'),
          own: (await insight.strip(named('asleep'))).slots.filter(({ verdict }) => verdict === 'paused'),
        };
      };
      const stretch = [{ at: iso(19), verdict: 'paused', count: 12 }];
      const said = {
        timeline: 12,
        bins: [5, 6, 1],
        series: [5, 6, 1],
        total: 12,
        strip: stretch,
        own: stretch,
      };
      expect(await readings()).toEqual(said);
      const coming = await insight.timeline(named('asleep'), { from: at(19.1), to: at(21), limit: 100 });
      expect(coming.projected.map(({ passedOver = false }) => passedOver)).toEqual([
        ...Array.from({ length: 6 }, () => true),
        ...Array.from({ length: 6 }, () => false),
      ]);
      const ahead = await insight.bins(named('asleep'), { from: at(20), to: at(20.9), bin: '1h' });
      expect(ahead.bins[0]).toMatchObject({ passedOver: 1, projected: 5 });
      // An edit writes what had no row yet, and the times of the new spec count from then on.
      await schedules.update(
        named('asleep'),
        (definition) => patchDefinition(definition, { cron: '*/5 * * * *' }),
        by,
      );
      expect(await readings()).toEqual(said);
      await schedules.resume(named('asleep'), { ...by, missed: 'skip' });
      expect(await readings()).toEqual(said);
      await schedules.delete(named('asleep'), by);
    });
  });
  exerciseDays(name, open);
}

function draftOf(id: string) {
  return readScheduleInput({ cron: '0 9 * * *', run: 'work', description: `like ${id}` });
}
