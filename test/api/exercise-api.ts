/**
 * One suite for both bodies of the API: embedded and over HTTP. A program that uses the interface must not notice which of
 * them it has, except that times are numbers in the one and texts in the other.
 */
import { describe, expect, test } from 'vitest';
import type { RunsApi, SchedulesApi, Views } from '../../packages/carillon/src/service/api.ts';
import { reasonOf } from '../support/reason-of.ts';

interface Time {
  readonly [Symbol.toPrimitive]?: unknown;
}

/** The fields of the answers that the suite reads, for both kinds of times. */
interface SeenViews extends Views {
  readonly line: { readonly attempt: number; readonly text: string };
  readonly schedule: {
    readonly id: string;
    readonly status: string;
    readonly token: number;
    readonly note: string;
  };
  readonly summary: { readonly id: string; readonly status: string };
  readonly occurrence: { readonly nominal: number | string };
  readonly explanation: { readonly answer: string; readonly text: string; readonly cause: string };
  readonly history: { readonly versions: readonly { readonly spec: object }[] };
  readonly slot: { readonly cause: string; readonly verdict: string; readonly detail: object | null };
  readonly run: {
    readonly id: string;
    readonly state: string;
    readonly outcome: string | null;
    readonly createdAt: number | string;
    readonly result?: unknown;
  };
  readonly audit: { readonly action: string; readonly note: string; readonly after: unknown };
}

export interface Work {
  readonly run: string;
  readonly input?: unknown;
  readonly queue?: string;
  readonly requestId?: string;
}

export interface Api {
  readonly schedules: SchedulesApi<SeenViews>;
  readonly runs: RunsApi<SeenViews, Work>;
}

const ms = (time: number | string | Time) => new Date(time as number | string).getTime();

/** `open` gives an API whose handlers are `echo` (returns its input) and `hang` (until it is cancelled). */
export function exerciseApi(name: string, open: () => Api): void {
  describe(name, () => {
    const inYears = { at: '2099-01-01T00:00:00Z', run: 'echo' };

    test('creates, refuses a taken id, replaces only what exists, and says what it made', async () => {
      const { schedules } = open();
      expect(await schedules.create('a', inYears)).toMatchObject({ token: 1 });
      expect(await reasonOf(schedules.create('a', inYears))).toBe('ALREADY_EXISTS');
      expect(await reasonOf(schedules.update('missing', inYears))).toBe('NOT_FOUND');
      expect(await schedules.upsert('a', { ...inYears, note: 'second' })).toMatchObject({
        token: 2,
        created: false,
      });
      expect(await schedules.upsert('b', inYears)).toMatchObject({ created: true });
      expect(await schedules.update('a', { ...inYears, note: 'third' }, { token: 2 })).toMatchObject({
        token: 3,
      });
      expect(await reasonOf(schedules.update('a', inYears, { token: 2 }))).toBe('CONFLICT_TOKEN_MISMATCH');
      expect(await schedules.describe('a')).toMatchObject({ id: 'a', token: 3, note: 'third' });
    });

    test('changes what is named, keeps the rest, and gives back the words of the definition', async () => {
      const { schedules } = open();
      await schedules.create('words', {
        cron: '0 9 * * 1-5',
        zone: 'Europe/Berlin',
        run: 'echo',
        tags: ['x'],
      });
      await schedules.patch('words', { zone: 'Asia/Tokyo', tags: null });
      const definition = await schedules.definition('words');
      expect(definition).toMatchObject({ run: 'echo' });
      expect(definition.tags ?? []).toEqual([]);
      await schedules.update('words', definition);
      const { versions } = await schedules.versions('words');
      expect(versions.at(-1)?.spec).toEqual(versions.at(-2)?.spec);
    });

    test('a repeated request changes nothing and gets the first answer', async () => {
      const { schedules } = open();
      await schedules.create('again', inYears);
      const first = await schedules.trigger('again', { requestId: 'one', note: 'by hand' });
      expect(await schedules.trigger('again', { requestId: 'one', note: 'by hand' })).toEqual(first);
      expect((await schedules.runs('again')).items).toHaveLength(1);
    });

    test('every change keeps its note in the audit', async () => {
      const { schedules } = open();
      await schedules.create('noted', inYears, { note: 'because ä' });
      await schedules.pause('noted', { note: 'stop' });
      await schedules.release('noted', { note: 'look again' });
      await schedules.resume('noted', { note: 'go', missed: 'skip' });
      await schedules.update('noted', inYears, { note: 'why not' });
      await schedules.delete('noted', { note: 'enough' });
      const { items } = await schedules.audit('noted');
      expect(items.map(({ action, note }) => [action, note])).toEqual([
        ['delete', 'enough'],
        ['update', 'why not'],
        ['resume', 'go'],
        ['release', 'look again'],
        ['pause', 'stop'],
        ['create', 'because ä'],
      ]);
      expect(items[5]?.after).toMatchObject({ action: { name: 'echo' } });
    });

    test('lists, counts and walks by the same filters', async () => {
      const { schedules } = open();
      for (const id of ['l-1', 'l-2', 'l-3']) await schedules.create(id, { ...inYears, tags: ['listed'] });
      await schedules.pause('l-2');
      const filters = { tag: ['listed'] };
      expect(await schedules.count(filters)).toBe(3);
      expect(await schedules.count({ ...filters, state: 'paused' })).toBe(1);
      const page = await schedules.list({ ...filters, limit: 2 });
      expect(page.items.map(({ id }) => id)).toEqual(['l-1', 'l-2']);
      expect(page.next).not.toBeNull();
      const walked: string[] = [];
      for await (const { id } of schedules.each({ ...filters, limit: 1 })) walked.push(id);
      expect(walked).toEqual(['l-1', 'l-2', 'l-3']);
    });

    test('one verb over many tells of each', async () => {
      const { schedules } = open();
      await schedules.create('m-1', inYears);
      const { items, failed } = await schedules.bulk('pause', ['m-1', 'm-missing'], { note: 'all' });
      expect(failed).toBe(1);
      expect(items.map(({ id, ok, reason }) => [id, ok, reason])).toEqual([
        ['m-1', true, null],
        ['m-missing', false, 'NOT_FOUND'],
      ]);
      expect(await reasonOf(schedules.bulk('pause', []))).toBe('INVALID');
    });

    test('times: what comes, what a backfill would run, what it ran, and why', async () => {
      const { schedules } = open();
      await schedules.create('daily', { cron: '0 12 * * *', run: 'echo', input: 'hello' });
      const next = await schedules.next('daily', { count: 2, after: '2030-01-01T00:00:00Z' });
      expect(next.map(({ nominal }) => ms(nominal))).toEqual([
        Date.parse('2030-01-01T12:00:00Z'),
        Date.parse('2030-01-02T12:00:00Z'),
      ]);
      const range = { from: '2020-01-01T00:00:00Z', to: new Date('2020-01-03T00:00:00Z') };
      const preview = await schedules.previewBackfill('daily', range);
      expect(preview.truncated).toBe(false);
      expect(preview.items.map(({ nominal }) => ms(nominal))).toEqual([
        Date.parse('2020-01-01T12:00:00Z'),
        Date.parse('2020-01-02T12:00:00Z'),
      ]);
      const { id } = await schedules.backfill('daily', range, { note: 'made up' });
      expect(await schedules.cancelBackfill('daily', id)).toHaveProperty('cancelled');
      const explanation = await schedules.explain('daily', '2019-01-01T12:00:00Z');
      expect(explanation.text).not.toBe('');
      const all = await schedules.explainAll('daily', '2019-01-01T12:00:00Z');
      expect(all[0]).toEqual(explanation);
    });

    test('runs: queued once, waited for, and seen in the ledger newest first', async () => {
      const { schedules, runs } = open();
      const queued = await runs.enqueue({ run: 'echo', input: { n: 1 }, requestId: 'job-1' });
      expect((await runs.enqueue({ run: 'echo', input: { n: 1 }, requestId: 'job-1' })).id).toBe(queued.id);
      expect(await runs.wait(queued.id)).toMatchObject({
        state: 'done',
        outcome: 'completed',
        result: { n: 1 },
      });
      expect(await runs.get(queued.id)).toMatchObject({ state: 'done' });
      await schedules.create('ledger', { ...inYears, overlap: 'allowAll' });
      await schedules.trigger('ledger');
      await schedules.trigger('ledger');
      for (const { id } of (await schedules.runs('ledger')).items) await runs.wait(id);
      const { items } = await schedules.slots('ledger');
      expect(items).toHaveLength(2);
      expect(items.every(({ verdict }) => verdict === 'started')).toBe(true);
      const upwards = await schedules.slots('ledger', { order: 'ascending' });
      expect(upwards.items.map(({ cause }) => cause)).toEqual(items.map(({ cause }) => cause).reverse());
    });

    test('runs are listed by start or by slot, of all schedules and of one, filtered before they are paged', async () => {
      const { schedules, runs } = open();
      const queue = 'ordered';
      const ids: string[] = [];
      for (const id of ['first', 'second']) {
        await schedules.create(id, { ...inYears, queue, overlap: 'allowAll' });
        // The slot that is run last lies before the other one.
        for (const day of ['05', '06', '04']) {
          await schedules.trigger(id, { scheduledAt: `2026-01-${day}T00:00:00Z` });
          const [newest] = (await schedules.runs(id, { limit: 1 })).items;
          ids.push(newest?.id as string);
        }
      }
      const [f5, f6, f4, s5, s6, s4] = ids as [string, string, string, string, string, string];
      const found = async (
        list: (after: object) => Promise<{ items: readonly { id: string }[]; next: string | null }>,
      ) => {
        const seen: string[] = [];
        let next: string | null = null;
        do {
          const page = await list({ limit: 2, ...(next === null ? {} : { after: next }) });
          seen.push(...page.items.map(({ id }) => id));
          next = page.next;
        } while (next !== null);
        return seen;
      };
      expect(await found((page) => schedules.runs('first', page))).toEqual([f4, f6, f5]);
      expect(await found((page) => schedules.runs('first', { by: 'start', ...page }))).toEqual([f4, f6, f5]);
      expect(await found((page) => schedules.runs('first', { by: 'slot', ...page }))).toEqual([f6, f5, f4]);
      const byStart = await found((page) => runs.list({ queue, ...page }));
      expect([...byStart].sort()).toEqual([...ids].sort());
      const times = await Promise.all(byStart.map(async (id) => ms((await runs.get(id)).createdAt)));
      expect(times).toEqual([...times].sort((a, b) => b - a));
      const each: string[] = [];
      for await (const run of runs.each({ queue, limit: 2 })) each.push(run.id);
      expect(each).toEqual(byStart);
      const bySlot = await found((page) => runs.list({ queue, by: 'slot', ...page }));
      expect([bySlot.slice(0, 2), bySlot.slice(2, 4), bySlot.slice(4)].map((pair) => pair.sort())).toEqual(
        [
          [f6, s6],
          [f5, s5],
          [f4, s4],
        ].map((pair) => pair.sort()),
      );
      await runs.terminate(f5);
      await runs.terminate(f4);
      for (const [by, expected] of [
        ['slot', [f5, f4]],
        ['start', [f4, f5]],
      ] as const) {
        const outcome = ['terminated'] as const;
        expect(await found((page) => schedules.runs('first', { outcome, by, ...page }))).toEqual(expected);
        expect(await found((page) => schedules.runs('first', { state: ['waiting'], by, ...page }))).toEqual([
          f6,
        ]);
      }
    });

    test('a run that hangs is asked to stop, and the answer says what became of it', async () => {
      const { runs } = open();
      const { id } = await runs.enqueue({ run: 'hang' });
      const ended = runs.wait(id);
      const stopped = await runs.cancel(id, { reason: 'no need' });
      expect(['ended', 'requested']).toContain(stopped);
      expect(await ended).toMatchObject({ outcome: 'cancelled' });
      expect(await runs.terminate(id)).toBe('done');
      const idle = await runs.enqueue({ run: 'echo', queue: 'without-workers' });
      expect(await runs.terminate(idle.id, { reason: 'x' })).toBe('ended');
      const found = await runs.list({ queue: 'without-workers', outcome: ['terminated'] });
      expect(found.items.map((run) => run.id)).toEqual([idle.id]);
    });

    test('every act answers what became of it', async () => {
      const { schedules, runs } = open();
      await schedules.upsert('acts', { ...inYears, run: 'hang' });
      const same = await schedules.upsert('acts', { ...inYears, run: 'hang' });
      expect(same).toMatchObject({ created: false, isChanged: false });
      expect((await schedules.audit('acts')).items).toHaveLength(1);
      expect(await schedules.upsert('acts', { ...inYears, run: 'hang', note: 'new' })).toMatchObject({
        isChanged: true,
      });
      expect(await schedules.resume('acts')).toMatchObject({ isChanged: false });
      const first = await schedules.trigger('acts');
      expect(first).toMatchObject({ verdict: 'started', runId: expect.any(String) });
      expect(await schedules.trigger('acts')).toMatchObject({
        verdict: 'skippedOverlap',
        cause: expect.stringContaining('trigger'),
      });
      await runs.terminate(first.runId ?? '');
      await schedules.pause('acts');
      expect(await schedules.resume('acts')).toMatchObject({ isChanged: true });
      expect(await schedules.delete('acts')).toEqual({ cancelled: 0 });
    });

    test.each(['cancel', 'keep'] as const)(
      'deleting a schedule says what became of its waiting run: %s',
      async (waiting) => {
        const { schedules, runs } = open();
        const id = `waiting-${waiting}`;
        await schedules.create(id, { ...inYears, run: 'echo', queue: 'without-workers' });
        const { runId } = await schedules.trigger(id);
        expect(await schedules.delete(id, { waiting })).toEqual({ cancelled: waiting === 'cancel' ? 1 : 0 });
        const left = await runs.get(runId ?? '');
        expect(left).toMatchObject(waiting === 'cancel' ? { outcome: 'cancelled' } : { state: 'waiting' });
      },
    );

    test('a failed run keeps its causes and its log, and is run again with the same input', async () => {
      const { runs } = open();
      const { id } = await runs.enqueue({ run: 'fail', input: { n: 7 } });
      expect(await runs.wait(id)).toMatchObject({
        outcome: 'failed',
        failure: { message: 'no luck', cause: { message: 'the deeper reason' } },
      });
      const lines: string[] = [];
      for await (const { text, attempt } of runs.log(id, { follow: true })) lines.push(`${attempt} ${text}`);
      expect(lines).toEqual(['1 trying {"n":7}']);
      const again = await runs.again(id, { note: 'once more' });
      expect(again).toMatchObject({ againOf: id, name: 'fail', input: { n: 7 } });
      expect(await runs.wait(again.id)).toMatchObject({ outcome: 'failed' });
      const idle = await runs.enqueue({ run: 'echo', queue: 'without-workers' });
      expect(await reasonOf(runs.again(idle.id))).toBe('RUN_NOT_FINISHED');
    });

    test('a finished run is deleted with its log, one that has not ended is not', async () => {
      const { runs } = open();
      const { id } = await runs.enqueue({ run: 'fail' });
      await runs.wait(id);
      await runs.delete(id, { reason: 'its input was secret' });
      expect(await reasonOf(runs.get(id))).toBe('NOT_FOUND');
      expect(await reasonOf(runs.delete(id))).toBe('NOT_FOUND');
      const idle = await runs.enqueue({ run: 'echo', queue: 'without-workers' });
      expect(await reasonOf(runs.delete(idle.id))).toBe('RUN_NOT_FINISHED');
      expect((await runs.get(idle.id)).state).toBe('waiting');
    });

    test('a wait can be given up', async () => {
      const { runs } = open();
      const idle = await runs.enqueue({ run: 'echo', queue: 'without-workers' });
      const giveUp = new AbortController();
      const waiting = runs.wait(idle.id, { signal: giveUp.signal });
      giveUp.abort();
      await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    });

    test('bad input is refused with the field, and what is not there is not found', async () => {
      const { schedules, runs } = open();
      const bad = schedules.create('bad', { cron: '61 * * * *', run: 'echo' });
      await expect(bad).rejects.toMatchObject({
        reason: 'INVALID',
        problems: [{ path: expect.stringContaining('cron') }],
      });
      expect(await reasonOf(schedules.describe('missing'))).toBe('NOT_FOUND');
      expect(await reasonOf(runs.get('missing'))).toBe('NOT_FOUND');
    });
  });
}
