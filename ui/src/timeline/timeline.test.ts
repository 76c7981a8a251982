import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../time/zone.ts';
import { stackOf, thinnest, tookSpans, totalOf, wordsOf } from './bins.ts';
import { packed } from './lanes.ts';
import type { Bin, Slot } from './model.ts';
import { pennantsOf } from './pennants.ts';
import { labelX, shortened, ticksOf } from './ticks.ts';
import {
  binName,
  binSizes,
  detailAt,
  fetchRange,
  isIn,
  longest,
  openingView,
  presetView,
  revealing,
  shortest,
  shortestOf,
  timeAt,
  withSlot,
  xOf,
  zoomed,
} from './view.ts';

const at = (text: string) => Date.parse(text);
const now = at('2026-11-01T18:12:40Z');

interface Ends {
  readonly last?: number;
  readonly next?: number;
}

describe('the view', () => {
  test('opens with 34 pixels per slot and now at 82 percent', () => {
    const { from, to } = openingView(30 * minuteMs, 1020, now);
    expect((to - from) / (30 * minuteMs)).toBeCloseTo(30);
    expect((now - from) / (to - from)).toBeCloseTo(0.82);
  });

  test('opens rare schedules on some twenty slots', () => {
    const { from, to } = openingView(10 * dayMs, 1020, now);
    expect((now - from) / (10 * dayMs)).toBeCloseTo(20, 0);
    expect((now - from) / (to - from)).toBeCloseTo(0.82);
  });

  test.each([1000, 30 * dayMs, 365 * dayMs])(
    'keeps now at 82 percent when a limit cuts it, step %d',
    (step) => {
      const { from, to } = openingView(step, 1020, now);
      expect([shortest, longest]).toContain(to - from);
      expect((now - from) / (to - from)).toBeCloseTo(0.82);
    },
  );

  test.each([
    ['due in a year', { next: now + 340 * dayMs }],
    ['due and past in a year', { last: now - 380 * dayMs, next: now + 300 * dayMs }],
    ['ended two days ago', { last: now - 2 * dayMs }],
    ['ended a year ago', { last: now - 370 * dayMs }],
  ])('opens with a slot in it and now beside it: %s', (_, { last, next }: Ends) => {
    const opened = openingView(next === undefined ? hourMs : 365 * dayMs, 1020, now);
    expect([last, next].some((time) => time !== undefined && isIn(opened, time))).toBe(false);
    const view = withSlot(opened, now, { last, next });
    expect(isIn(view, now)).toBe(true);
    expect([last, next].some((time) => time !== undefined && isIn(view, time))).toBe(true);
    expect(view.to - view.from).toBeLessThanOrEqual(longest);
  });

  test('keeps now at its place where a slot is in view already', () => {
    const opened = openingView(30 * minuteMs, 1020, now);
    expect(withSlot(opened, now, { last: now - 20 * minuteMs, next: now + 10 * minuteMs })).toEqual(opened);
    expect(withSlot(opened, now, { last: undefined, next: undefined })).toEqual(opened);
  });

  test('slots closer than a minute can be seen one by one', () => {
    expect(shortestOf(30 * minuteMs)).toBe(shortest);
    const least = shortestOf(1000);
    const { from, to } = zoomed({ from: now, to: now + hourMs, width: 1000 }, 0.0001, 500, least);
    expect(detailAt((1000 / (to - from)) * 1000)).toBe('full');
  });

  test('zooming keeps the time under the pointer where it is', () => {
    const plot = { from: now - dayMs, to: now, width: 1000 };
    const next = { ...zoomed(plot, 0.5, 250), width: 1000 };
    expect(timeAt(next, 250)).toBeCloseTo(timeAt(plot, 250));
    expect(next.to - next.from).toBe(dayMs / 2);
  });

  test('moves only when what is looked for is outside', () => {
    const view = { from: now, to: now + hourMs };
    expect(revealing(view, now + hourMs / 2)).toEqual(view);
    const moved = revealing(view, now - hourMs);
    expect(moved.from).toBeLessThan(now - hourMs);
    expect(moved.to - moved.from).toBe(hourMs);
  });

  test('small moves fetch nothing new, and the range covers a margin', () => {
    const view = { from: now, to: now + hourMs };
    const range = fetchRange(view);
    expect(range.from).toBeLessThanOrEqual(view.from - hourMs / 2);
    expect(range.to).toBeGreaterThanOrEqual(view.to + hourMs / 2);
    expect(fetchRange({ from: view.from + 1000, to: view.to + 1000 })).toEqual(range);
  });

  test.each([
    [40, 'full'],
    [20, 'marks'],
    [5, 'ticks'],
    [3.9, 'bins'],
  ])('%d pixels per slot show %s', (px, detail) => {
    expect(detailAt(px)).toBe(detail);
  });

  test('presets stand around now', () => {
    const { from, to } = presetView('week', now);
    expect(to - from).toBe(7 * dayMs);
    expect(now).toBeGreaterThan(from);
    expect(now).toBeLessThan(to);
  });
});

describe('ticks', () => {
  const zone = 'America/New_York';

  test('label a repeated hour again, on the day of 25 hours', () => {
    const plot = { from: at('2026-11-01T04:00:00Z'), to: at('2026-11-01T10:00:00Z'), width: 600 };
    const { minor, lead } = ticksOf(zone, plot);
    expect(lead).toBe('Sun 1 Nov');
    expect(minor.map(({ text }) => text)).toEqual(['00', '01', '01 again', '02', '03', '04', '05']);
  });

  test('leave out a skipped hour', () => {
    const plot = { from: at('2027-03-14T05:00:00Z'), to: at('2027-03-14T09:00:00Z'), width: 400 };
    expect(ticksOf(zone, plot).minor.map(({ text }) => text)).toEqual(['00', '01', '03', '04', '05']);
  });

  test('name days and months as the view widens', () => {
    const week = { from: now - 5 * dayMs, to: now + 2 * dayMs, width: 1000 };
    expect(ticksOf(zone, week).major.map(({ text }) => text)).toContain('Sun 1 Nov');
    const quarter = { from: now - 60 * dayMs, to: now + 30 * dayMs, width: 1000 };
    expect(ticksOf(zone, quarter).major.map(({ text }) => text)).toEqual([
      'Oct 2026',
      'Nov 2026',
      'Dec 2026',
    ]);
    const year = { from: now - 300 * dayMs, to: now + 100 * dayMs, width: 1000 };
    expect(ticksOf(zone, year).major.map(({ text }) => text)).toEqual(['2027']);
  });

  test('follow a zone whose hours are not those of UTC', () => {
    const plot = { from: at('2026-11-01T00:00:00Z'), to: at('2026-11-01T03:00:00Z'), width: 600 };
    const { minor } = ticksOf('Asia/Kolkata', plot);
    expect(minor.map(({ text }) => text)).toContain('06');
    for (const tick of minor) expect(tick.text).toMatch(/^\d\d(:30)?$/);
  });
});

describe('labels of the axis', () => {
  const plot = { width: 1000 };

  test.each([
    ['stands beside its tick', 100, 100 + 5],
    ['is dropped when the gutter would cut it', -6, undefined],
    ['is dropped when the far edge would cut it', 985, undefined],
    ['is dropped when the pill of now would cover its end', 644, undefined],
    ['is dropped when the pill of now would cover its beginning', 738, undefined],
    ['stands before the pill of now', 638, 638 + 5],
    ['stands after the pill of now', 740, 740 + 5],
  ])('a label %s', (_, tickX, left) => {
    expect(labelX(tickX, 12, { plot, nowX: 700 })).toBe(left);
  });

  test('a name that does not fit is cut at its end', () => {
    const fits = (text: string) => text.length <= 8;
    expect(shortened('New York', fits)).toBe('New York');
    expect(shortened('ComodRivadavia', fits)).toBe('ComodRi…');
    expect(shortened('Dumont DUrville', (text) => text.length <= 8)).toBe('Dumont…');
  });
});

describe('lanes', () => {
  const plot = { from: now, to: now + 100 * minuteMs, width: 1000 };
  const slot = (start: number, end: number | null): Slot => ({
    at: now + start * minuteMs,
    look: 'started',
    run: {
      id: `r${start}`,
      start: now + start * minuteMs,
      end: end === null ? null : now + end * minuteMs,
      look: 'started',
      attempts: [],
    },
  });

  test('runs that follow each other share a lane, runs that overlap do not', () => {
    const { bars } = packed([slot(0, 30), slot(10, 40), slot(31, 50)], plot, now);
    expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 0]);
  });

  test('runs that only touch share a lane, with a line between them', () => {
    const { bars, lanes } = packed([slot(0, 30), slot(30, 60), slot(60, 90)], plot, now);
    expect(bars.map(({ lane }) => lane)).toEqual([0, 0, 0]);
    expect(lanes).toBe(2);
    expect((bars[0]?.x ?? 0) + (bars[0]?.width ?? 0)).toBeLessThan(bars[1]?.x ?? 0);
  });

  test('what finds no lane is counted', () => {
    const { bars, crowded } = packed(
      [slot(0, 90), slot(1, 90), slot(2, 90), slot(3, 90), slot(4, 90)],
      plot,
      now,
    );
    expect(bars).toHaveLength(3);
    expect(crowded.at(-1)?.count).toBe(2);
  });

  test('the number of runs without a lane is shown where it changes', () => {
    const many = [0, 1, 2, 3, 30, 60].map((start, index) => slot(start, index < 4 ? 40 : 90));
    const { crowded } = packed(
      [...many, slot(61, 90), slot(62, 90), slot(63, 90)],
      plot,
      now + 90 * minuteMs,
    );
    expect(crowded.map(({ x, count }) => [Math.round(x), count])).toEqual([
      [30, 1],
      [300, 2],
      [400, 1],
      [630, 2],
    ]);
  });

  test('a run that goes on ends at now', () => {
    const { bars } = packed([slot(0, null)], plot, now + 20 * minuteMs);
    expect(bars[0]?.width).toBeCloseTo(200);
  });
});

describe('pennants', () => {
  const plot = { from: now, to: now + dayMs, width: 1000 };
  const change = (hours: number, label: string) =>
    ({ kind: 'edit', at: now + hours * hourMs, label, text: '' }) as const;

  test('stand alone when there is room', () => {
    expect(pennantsOf([change(1, 'v7'), change(8, 'v8')], plot).map(({ label }) => label)).toEqual([
      'v7',
      'v8',
    ]);
  });

  test('become one with their number when they would cover each other', () => {
    const [one, ...rest] = pennantsOf([change(1, 'v7'), change(1.2, 'clock back 1 h')], plot);
    expect(rest).toEqual([]);
    expect(one?.label).toBe('2 changes');
    expect(one?.changes).toHaveLength(2);
  });
});

describe('bins', () => {
  const room = { full: 48, up: 40, down: 34 };

  test('never hide trouble: one failure among many is visible and outermost', () => {
    const { up, down } = stackOf(
      { counts: { started: 4000, failed: 1, skippedOverlap: 2, missedWindow: 1 } },
      room,
    );
    expect(up.at(-1)).toMatchObject({ kind: 'failed', count: 1, height: thinnest });
    expect(down.map(({ kind }) => kind)).toEqual(['policy', 'lost']);
    for (const piece of down) expect(piece.height).toBeGreaterThanOrEqual(thinnest);
    expect(up.reduce((sum, { height }) => sum + height, 0)).toBeLessThanOrEqual(room.up + 8);
  });

  test('know their total and their words, the largest first', () => {
    const bin = { counts: { started: 3, paused: 9 } };
    expect(totalOf(bin)).toBe(12);
    expect(wordsOf(bin)).toEqual([
      { look: 'paused', count: 9 },
      { look: 'started', count: 3 },
    ]);
  });

  test('tell how long runs took without a line across a time in which none ran', () => {
    const bin = (from: number, medianMs: number | null, counts: Bin['counts']): Bin => ({
      from,
      to: from + 10,
      counts,
      medianMs,
      longestMs: medianMs,
    });
    const spans = tookSpans([
      bin(0, 5, { started: 1 }),
      bin(10, null, {}),
      bin(20, 6, { started: 1 }),
      bin(30, null, { paused: 4 }),
      bin(40, 7, { started: 1 }),
    ]);
    expect(spans.map((span) => span.map(({ at }) => at))).toEqual([[5, 25], [45]]);
  });

  test('are at least seven pixels wide', () => {
    const plot = { from: now - 31 * dayMs, to: now, width: 1100 };
    const size = binSizes[binName(plot)];
    expect((size / (plot.to - plot.from)) * plot.width).toBeGreaterThanOrEqual(7);
    expect(size).toBe(6 * hourMs);
  });
});

test('a place on the axis leads to its time and back', () => {
  const plot = { from: now - hourMs, to: now + hourMs, width: 900 };
  expect(xOf(plot, timeAt(plot, 333))).toBeCloseTo(333);
});
