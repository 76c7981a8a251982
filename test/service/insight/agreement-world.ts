/** Random worlds, and a naive count of what became of every slot of their schedules. */
import { given } from '../../../packages/carillon/src/base/given.ts';
import type { Instant } from '../../../packages/carillon/src/base/time.ts';
import { Carillon } from '../../../packages/carillon/src/embed/carillon.ts';
import { internalsOf } from '../../../packages/carillon/src/embed/internals.ts';
import { readStamp } from '../../../packages/carillon/src/engine/history.ts';
import { Definition } from '../../../packages/carillon/src/scheduler/definition.ts';
import { binEdges } from '../../../packages/carillon/src/service/insight/bin-edges.ts';
import type { Services } from '../../../packages/carillon/src/service/services.ts';
import { compileSpec, findZone } from '../../../packages/carillon/src/spec/index.ts';
import type { SlotRow } from '../../../packages/carillon/src/store/records.ts';
import type { Store } from '../../../packages/carillon/src/store/store.ts';
import { CarillonWorld } from '../../../packages/carillon/src/testing/carillon-world.ts';
import { VirtualClock } from '../../../packages/carillon/src/testing/virtual-clock.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const namespace = 'default';
const named = (id: string) => ({ namespace, id });

/** Clock changes: Berlin 2026-10-25, New York 2026-11-01, Lord Howe 2026-10-04 (half an hour), Sydney 2026-10-04. */
const begins = [
  Date.UTC(2026, 9, 24, 5),
  Date.UTC(2026, 9, 31, 3),
  Date.UTC(2026, 9, 3, 1),
  Date.UTC(2026, 2, 28, 2),
];
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'UTC',
  'Asia/Kathmandu',
];
const crons = [
  '*/7 * * * *',
  '0 * * * *',
  '30 1-3 * * *',
  '*/20 8-18 * * *',
  '15,45 * * * *',
  '0 */2 * * *',
  '30 2 * * *',
];

export type Random = () => number;
export function randomOf(seed: number): Random {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

export async function playWorld(
  seed: number,
  open: (clock: VirtualClock) => Promise<Store>,
  check: (world: CarillonWorld, trail: readonly string[]) => Promise<void>,
): Promise<CarillonWorld> {
  const random = randomOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const begin = pick(begins) as Instant;
  const clock = new VirtualClock(begin);
  const trail: string[] = [];
  const world = new CarillonWorld({
    clock,
    store: await open(clock),
    expectFailures: true,
    setup: (carillon, { sleep }) => {
      carillon.handle('work', async ({ scheduledAt, signal }) => {
        const mix = randomOf(Number(scheduledAt) / 1000 + seed)();
        await sleep(mix < 0.15 ? 90 * minute : mix < 0.5 ? 9 * minute : 30_000, signal);
        if (mix > 0.9) throw new Error('now and then');
      });
      const { tally } = internalsOf(carillon).services;
      carillon.subscribe((event) => tally.add(event));
    },
  });
  await world.start();
  // A node that only reads, for the times when no other is alive.
  const { store } = world;
  const alone = new Carillon({ store, clock, steadyClock: clock, newId: () => 'reader', name: 'reader' });
  const reader = internalsOf(alone).services;
  const ids: string[] = [];
  const specOf = () => {
    const zone = pick(zones);
    const source = random() < 0.25 ? { every: pick(['10m', '25m', '1h', '90m']) } : { cron: pick(crons) };
    const local = new Date(clock.now() + Math.floor(random() * 3) * day).toISOString().slice(0, 10);
    return {
      ...source,
      zone,
      ...(random() < 0.3 ? { excludeDates: [local] } : {}),
      ...(random() < 0.25 ? { jitter: pick(['30s', '4m']) } : {}),
      ...(random() < 0.4 && 'cron' in source
        ? {
            dst: {
              gap: pick(['skip', 'shift', 'gapEnd'] as const),
              fold: pick(['first', 'last', 'both'] as const),
            },
          }
        : {}),
    };
  };
  const policyOf = () => ({
    overlap: pick(['skip', 'bufferOne', 'bufferAll', 'cancelOther', 'terminateOther', 'allowAll'] as const),
    ...(random() < 0.3 ? { missed: pick(['all', 'once', 'skip'] as const) } : {}),
    ...(random() < 0.3 ? { catchup: pick(['10m', '3h']) } : {}),
    ...(random() < 0.2 ? { limit: 2 } : {}),
  });
  const create = async () => {
    const id = `s${ids.length}`;
    ids.push(id);
    const wanted = {
      ...specOf(),
      ...policyOf(),
      run: 'work',
      owner: pick(['a', 'b']),
      ...(random() < 0.15 ? { remaining: 5 + Math.floor(random() * 20) } : {}),
    };
    trail.push(`${new Date(clock.now()).toISOString()} create ${id} ${JSON.stringify(wanted)}`);
    await world.carillon().schedules.create(id, wanted);
  };
  for (let n = 0; n < 4; n += 1) await create();
  const steps = 18;
  for (let step = 0; step < steps; step += 1) {
    await world.advanceTo((clock.now() + Math.floor(random() * 5 * hour) + 1000) as Instant);
    const id = pick(ids);
    const what = random();
    const { schedules } = world.carillon();
    // What the state of the schedule refuses is part of the explanation.
    const tried = async (change: Promise<unknown>) => {
      await change.catch((error: Error) => trail.push(`  refused: ${error.message.slice(0, 100)}`));
    };
    const note = (text: string) => trail.push(`${new Date(clock.now()).toISOString()} ${text} ${id}`);
    if (what < 0.2) {
      const until = random() < 0.4 ? { until: clock.now() + Math.floor(random() * 8 * hour) + minute } : {};
      note(`pause ${JSON.stringify(until)}`);
      await tried(schedules.pause(id, { actor: 'Ana', note: 'n', ...until }));
    } else if (what < 0.36) {
      const missed = pick(['skip', 'once', 'all'] as const);
      note(`resume ${missed}`);
      await tried(schedules.resume(id, { missed }));
    } else if (what < 0.56) {
      const change = random() < 0.6 ? specChange(specOf()) : policyOf();
      note(`patch ${JSON.stringify(change)}`);
      await tried(schedules.patch(id, change as never));
    } else if (what < 0.64) {
      note('trigger');
      await tried(schedules.trigger(id));
    } else if (what < 0.7) {
      note('backfill');
      await tried(schedules.backfill(id, { from: clock.now() - 5 * hour, to: clock.now() - hour }));
    } else if (what < 0.82) {
      note('crash');
      await internalsOf(world.carillon()).services.tally.flush();
      world.crash(0);
      await world.advanceTo((clock.now() + Math.floor(random() * 6 * hour)) as Instant);
      await checkOpen(reader, ids, clock.now());
      await world.restart(0);
      note('restart');
      await world.advance(minute);
      if (random() < 0.5) await check(world, trail);
    } else if (what < 0.88) {
      await create();
    } else if (what < 0.94 && isDeleting(seed)) {
      note('delete and create anew');
      await tried(schedules.delete(id));
      await world.advanceTo((clock.now() + 11 * minute) as Instant);
      await tried(schedules.create(id, { ...specOf(), ...policyOf(), run: 'work', owner: 'c' }));
    }
    if (step % 9 === 8 || step === steps - 1) await check(world, trail);
  }
  return world;
}

/** While no node is alive: what timelines show as waiting for a verdict is explained as that, and counted so in bins and strips. */
async function checkOpen({ insight }: Services, ids: readonly string[], now: Instant) {
  for (const id of ids) {
    const range = { from: (now - 6 * hour) as Instant, to: now };
    const { slots } = await insight.timeline(named(id), { ...range, limit: 2000 });
    const open = slots.filter(({ verdict }) => verdict === 'due' || verdict === 'overdue');
    for (const { at, verdict } of [...open.slice(0, 3), ...open.slice(-3)]) {
      const [explanation] = await insight.explain(named(id), Date.parse(at) as Instant);
      if (explanation?.answer !== verdict)
        throw new Error(`${id} explains ${at} as ${explanation?.answer}, shows ${verdict}`);
    }
    const { slots: strip } = await insight.strip(named(id));
    const overdue = slots.filter(({ verdict }) => verdict === 'overdue').length;
    const inStrip = strip
      .filter(({ verdict }) => verdict === 'overdue')
      .reduce((all, { count = 1 }) => all + count, 0);
    if (inStrip < Math.min(overdue, 20))
      throw new Error(`${id} has ${overdue} overdue slots, its strip ${inStrip}`);
  }
}

/** Every source of times that is not said is removed. */
function specChange(spec: Record<string, unknown>) {
  return { cron: null, every: null, dst: null, jitter: null, excludeDates: null, ...spec };
}

interface Told {
  readonly at: number;
  readonly verdict: string;
  readonly cause: string;
}

export async function compareAnswers(world: CarillonWorld, seed: number): Promise<readonly string[]> {
  const { store } = world;
  const { services } = internalsOf(world.carillon());
  const { insight, schedules } = services;
  await services.tally.flush();
  const now = world.now;
  const random = randomOf(seed + Number(now) / 1000);
  const wrong: string[] = [];
  const say = (id: string, text: string, got: unknown, wanted: unknown) =>
    wrong.push(`${id} ${text}: got ${JSON.stringify(got)}, counted ${JSON.stringify(wanted)}`);
  const same = (id: string, text: string, got: unknown, wanted: unknown) => {
    const [one, other] = [sorted(got), sorted(wanted)];
    if (one !== other) wrong.push(`${id} ${text}: got ${one}, counted ${other}`);
  };
  const seriesVerdicts: Record<string, number> = {};
  const { items } = await insight.list({ namespace, sort: 'id', strip: true, limit: 100 });
  const counted = { total: 0, running: 0, paused: 0, ended: 0, quarantined: 0 };
  for (const { id, strip } of items) {
    const row = await schedules.row(named(id));
    const parts = await store.parts({ incarnation: row.incarnation, name: Definition.name });
    const versions = parts.map(({ at, data }) => ({ at, definition: readStamp(Definition, data) }));
    const current = versions.at(-1)?.definition;
    if (current === undefined) throw new Error('a schedule has a definition');
    const description = await schedules.describe(named(id));
    counted.total += 1;
    counted[description.status as keyof typeof counted] += 1;
    const timesOf = (definition: typeof current, from: number, to: number) => {
      const compiled = compileSpec(definition.spec, { seed: definition.seed });
      const found: { nominal: number; actual: number }[] = [];
      for (let at = from - 1; ; ) {
        const next = compiled.next(at as Instant, { seed: definition.seed });
        if (next === undefined || next.nominal > to) return found;
        found.push({ nominal: next.nominal, actual: next.actual });
        at = next.nominal;
      }
    };
    // The ledger, slot by slot. A stretch has the times of the definitions that were in force within it.
    const told: Told[] = [];
    const rows: SlotRow[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await store.slots({ incarnation: row.incarnation, limit: 1000, ...given({ after }) });
      rows.push(...page.items);
      after = page.next;
    }
    for (const { nominal, until, count, verdict, cause } of rows) {
      if (count === 1) {
        told.push({ at: nominal, verdict, cause });
        continue;
      }
      const times: number[] = [];
      for (const [index, version] of versions.entries()) {
        const from = index === 0 ? nominal : Math.max(nominal, version.at + 1);
        const to = Math.min(until, versions[index + 1]?.at ?? until);
        if (from <= to) times.push(...timesOf(version.definition, from, to).map((time) => time.nominal));
      }
      if (times.length !== count)
        say(id, `stretch ${verdict} ${iso(nominal)}..${iso(until)} has other times`, count, times.length);
      told.push(...times.map((at) => ({ at, verdict, cause })));
    }
    for (const { verdict } of told) seriesVerdicts[verdict] = (seriesVerdicts[verdict] ?? 0) + 1;
    // Open slots, from the description alone.
    const state = await services.insight.timeline(named(id), { from: row.createdAt, to: now, limit: 2000 });
    const isPaused = current.paused !== null;
    const lastAuto = told
      .filter(({ cause }) => cause === 'auto')
      .reduce((last, { at }) => Math.max(last, at), row.createdAt as number);
    const open: Told[] = [];
    if (isPaused && current.paused !== null) {
      const { at: pausedAt } = current.paused;
      // An edit of the spec gives all slots before it their rows.
      const edited = versions.findLast(
        (version, place) =>
          JSON.stringify(version.definition.spec) !== JSON.stringify(versions[place - 1]?.definition.spec),
      );
      for (const { nominal, actual } of timesOf(current, Math.max(lastAuto, edited?.at ?? 0) + 1, now)) {
        if (actual <= now && actual > pausedAt) open.push({ at: nominal, verdict: 'paused', cause: 'auto' });
      }
    }
    if (open.length > 0) seriesVerdicts.paused = (seriesVerdicts.paused ?? 0) + open.length;
    const expected: Record<string, number> = {};
    for (const { verdict } of [...told, ...open]) expected[verdict] = (expected[verdict] ?? 0) + 1;
    const shown: Record<string, number> = {};
    for (const { verdict, count = 1 } of state.slots) shown[verdict] = (shown[verdict] ?? 0) + count;
    delete shown.due;
    same(id, 'timeline verdicts', shown, expected);
    // No slot is told twice, and none that the spec names is missing.
    const autos = [...told, ...open].filter(({ cause }) => cause === 'auto').map(({ at }) => at);
    if (new Set(autos).size !== autos.length) say(id, 'slots twice', autos.length, new Set(autos).size);
    // Bins of every size.
    for (const bin of ['1m', '5m', '15m', '1h', '2h', '3h', '6h', '12h', '1d', '2d', '7d', '14d']) {
      const span = bin === '1m' ? 20 * hour : 6 * day;
      const range = {
        from: Math.max(row.createdAt - 2 * hour, now - span) as Instant,
        to: (now + 3 * hour) as Instant,
      };
      if ((bin === '1m' || bin === '5m') && random() < 0.7) continue;
      if (bin === '1m' && range.to - range.from > 2000 * minute) continue;
      const answer = await insight.bins(named(id), { ...range, bin });
      const edges = binEdges(range, bin, findZone(current.spec.zone ?? 'UTC'));
      same(
        id,
        `edges of ${bin}`,
        answer.bins.map(({ from }) => Date.parse(from)),
        edges.slice(0, -1),
      );
      for (const { from, to, verdicts, outcomes, unfinished, forgotten } of answer.bins) {
        const local = localText(Date.parse(from), current.spec.zone ?? 'UTC');
        if (bin.endsWith('d') && !local.endsWith('00:00')) say(id, `bin ${bin} begins at`, local, '00:00');
        const within = (at: number) => at >= Date.parse(from) && at < Date.parse(to);
        const here: Record<string, number> = {};
        for (const { at, verdict } of [...told, ...open])
          if (within(at)) here[verdict] = (here[verdict] ?? 0) + 1;
        for (const { at, verdict } of state.ruledOut)
          if (within(Date.parse(at))) here[verdict] = (here[verdict] ?? 0) + 1;
        const { due: _, overdue: __, ...seen } = verdicts;
        // The timeline was asked for from the creation to now only.
        if (Date.parse(to) <= now) same(id, `bin ${bin} ${from}`, seen, here);
        const started = (here.started ?? 0) + (here.startedLate ?? 0);
        const ran = sum(outcomes) + sum(unfinished) + forgotten;
        if (started !== ran) say(id, `bin ${bin} ${from} runs`, { outcomes, unfinished, forgotten }, started);
      }
    }
    // The strip: the last twenty.
    const all = [...told, ...open].sort((a, b) => a.at - b.at);
    const strips = (strip?.slots ?? []).filter(({ verdict }) => verdict !== 'overdue');
    const inStrip = strips.flatMap(({ verdict, count = 1 }) =>
      Array.from({ length: count }, () => verdict as string),
    );
    const last = all.slice(-20);
    if (inStrip.length !== last.length) say(id, 'strip length', inStrip.length, last.length);
    // A stretch keeps its place as a whole, so what a backfill put between its slots stands beside it.
    if (!all.some(({ cause }) => cause.startsWith('backfill')))
      same(id, 'strip verdicts', tally(inStrip), tally(last.map(({ verdict }) => verdict)));
    same(id, 'strip alone', (await insight.strip(named(id))).slots, strip?.slots);
    // Explanations.
    for (let round = 0; round < 12 && all.length > 0; round += 1) {
      const { at, verdict, cause } = all[Math.floor(random() * all.length)] as Told;
      const explanations = await insight.explain(named(id), at as Instant);
      const mine = explanations.find((explanation) => explanation.cause === cause);
      if (mine?.answer !== verdict)
        say(
          id,
          `explain ${iso(at)} (${cause})`,
          explanations.map((explanation) => [explanation.cause, explanation.answer]),
          verdict,
        );
      if (mine !== undefined && (mine.chain.length < 2 || mine.chain.length > 5))
        say(id, `chain ${iso(at)} ${verdict}`, mine.chain.length, '2..5');
    }
    for (const { at, verdict } of state.ruledOut.slice(0, 10)) {
      const [explanation] = await insight.explain(named(id), Date.parse(at) as Instant);
      if (explanation?.answer !== verdict) say(id, `explain ruled out ${at}`, explanation?.answer, verdict);
    }
    for (const { at, verdict } of state.slots.filter(
      (slot) => slot.verdict === 'due' || slot.verdict === 'overdue',
    )) {
      const [explanation] = await insight.explain(named(id), Date.parse(at) as Instant);
      if (explanation?.answer !== verdict) say(id, `explain open ${at}`, explanation?.answer, verdict);
    }
    // What comes.
    const ahead = await insight.timeline(named(id), {
      from: (now - 5 * minute) as Instant,
      to: (now + 30 * hour) as Instant,
      limit: 2000,
    });
    const coming = timesOf(current, now - 5 * minute, now + 30 * hour).filter(
      ({ nominal, actual }) => actual > now && nominal > lastAuto && nominal > (versions.at(-1)?.at ?? 0),
    );
    const remaining = description.remaining ?? null;
    let left = remaining ?? coming.length;
    const wanted = coming.flatMap(({ nominal, actual }): readonly unknown[] => {
      const { paused } = current;
      if (paused !== null && actual > paused.at && actual <= (paused.until ?? actual))
        return remaining === 0 ? [] : [[nominal, true]];
      left -= 1;
      return left < 0 ? [] : [[nominal, undefined]];
    });
    same(
      id,
      'projected',
      ahead.projected.map(({ at, passedOver }) => [Date.parse(at), passedOver]),
      wanted,
    );
    const later = await insight.timeline(named(id), {
      from: (now + 20 * hour) as Instant,
      to: (now + 30 * hour) as Instant,
      limit: 2000,
    });
    same(
      id,
      'projected later',
      later.projected.map(({ at, passedOver }) => [at, passedOver]),
      ahead.projected
        .filter(({ at }) => Date.parse(at) >= now + 20 * hour)
        .map(({ at, passedOver }) => [at, passedOver]),
    );
    const farBins = await insight.bins(named(id), {
      from: (now + 20 * hour) as Instant,
      to: (now + 30 * hour) as Instant,
      bin: '1h',
    });
    for (const { from, to, projected, passedOver } of farBins.bins) {
      const here = ahead.projected.filter(
        ({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to),
      );
      if (Date.parse(to) > now + 30 * hour) continue;
      same(
        id,
        `projected bin ${from}`,
        [projected, passedOver],
        [here.filter((each) => !each.passedOver).length, here.filter((each) => each.passedOver).length],
      );
    }
    for (const { at, passedOver } of ahead.projected.slice(0, 3)) {
      const [explanation] = await insight.explain(named(id), Date.parse(at) as Instant);
      if (explanation?.answer !== 'notYet')
        say(id, `explain projected ${at} ${passedOver}`, explanation?.answer, 'notYet');
    }
  }
  const counts = await insight.counts(namespace, {});
  const { total, running, paused, ended, quarantined } = counts;
  same('counts', 'states', { total, running, paused, ended, quarantined }, counted);
  // Load of the next hours.
  const span = {
    from: (Math.ceil(now / minute) * minute) as Instant,
    to: (Math.ceil(now / minute) * minute + 20 * hour) as Instant,
  };
  const load = await insight.load({ namespace, ...span, bin: '1h', zone: 'Asia/Kolkata' });
  const loads: number[] = load.bins.map(() => 0);
  for (const { id } of items) {
    const description = await schedules.describe(named(id));
    if (description.status !== 'running') continue;
    const longest = { from: (span.from - 5 * minute) as Instant, to: span.to };
    const { projected } = await insight.timeline(named(id), { ...longest, limit: 2000 });
    // The load is told by the times with jitter.
    for (const { at: nominal, actual: at = nominal } of projected) {
      if (Date.parse(at) < span.from || Date.parse(at) > span.to) continue;
      const place = load.bins.findLastIndex(({ from }) => Date.parse(from) <= Date.parse(at));
      loads[place] = (loads[place] ?? 0) + 1;
    }
  }
  same(
    'load',
    `by hour`,
    load.bins.map(({ starts }) => starts),
    loads,
  );
  const series = await insight.series({
    namespace,
    from: (now - 20 * day) as Instant,
    to: now as Instant,
    bin: '1d',
  });
  delete seriesVerdicts.buffered;
  if (!isDeleting(seed)) same('series', 'verdicts', series.total.verdicts, seriesVerdicts);
  return wrong;
}

function tally(all: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const each of all) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
}

function sum(counts: Readonly<Record<string, number | undefined>>): number {
  return Object.values(counts).reduce<number>((all, each) => all + (each ?? 0), 0);
}

function sorted(value: unknown): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return JSON.stringify(value) ?? 'undefined';
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function localText(at: number, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
}

/** Deleted schedules are counted by series and by nothing else, so every second world deletes none. */
function isDeleting(seed: number): boolean {
  return seed % 2 === 1;
}
