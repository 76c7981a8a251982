/** The order of drawing, from the calls that a context without a canvas records. */
import { expect, test } from 'vitest';
import '../time/zone-tables.ts';
import { dayMs, hourMs } from '../time/zone.ts';
import type { Scene } from './draw.ts';
import { drawTimeline } from './draw.ts';
import type { Bar } from './lanes.ts';
import type { RunBar, TimelineData } from './model.ts';
import { rowsOf } from './rows.ts';
import type { Plot } from './view.ts';

const now = Date.UTC(2026, 10, 18, 12);

/** Where each text of the last drawing begins. */
const places = new Map<string, number>();

/** Strokes of lines and texts, in the order in which they were drawn; a stroke is told with its colour where colours are given. */
function drawn(
  data: Partial<TimelineData>,
  {
    plot = {},
    colour = {},
    bars = [],
  }: {
    readonly plot?: Partial<Plot>;
    readonly colour?: Record<string, string>;
    readonly bars?: readonly Bar[];
  } = {},
): readonly string[] {
  const calls: string[] = [];
  places.clear();
  let stroke = '';
  const context = new Proxy({} as Record<string, unknown>, {
    get: (known, name: string) => {
      if (name === 'measureText') return (text: string) => ({ width: 6 * text.length });
      if (name === 'stroke') return () => calls.push(stroke === '' ? 'line' : stroke);
      if (name === 'fillText')
        return (text: string, x: number) => {
          calls.push(text);
          places.set(text, x);
        };
      return known[name] ?? (() => {});
    },
    set: (_, name: string, value: unknown) => {
      if (name === 'strokeStyle') stroke = String(value ?? '');
      return true;
    },
  }) as unknown as CanvasRenderingContext2D;
  const scene = {
    context,
    plot: { from: now - 5 * dayMs, to: now + dayMs, width: 900, ...plot },
    gutter: 0,
    rows: rowsOf(2),
    data: { zone: 'UTC', step: hourMs, slots: [], bins: null, stretches: [], changes: [], ...data },
    packed: { bars, lanes: 2, crowded: [] },
    now,
    isOffline: false,
    paint: { colour, family: () => '', sans: '' },
    sprites: { pattern: () => '', draw: () => {} },
    ratio: 1,
    breath: 1,
  } as unknown as Scene;
  drawTimeline(scene);
  return calls;
}

const bin = (from: number, ms: number) => ({
  from,
  to: from + dayMs,
  counts: { started: 3 },
  medianMs: ms,
  longestMs: 2 * ms,
});

test('no line is drawn over the texts of bins and of stretches', () => {
  const calls = drawn({
    bins: [bin(now - 3 * dayMs, 60_000), bin(now - 2 * dayMs, 120_000)],
    stretches: [
      { kind: 'forgotten', from: now - 5 * dayMs, to: now - 3 * dayMs, label: 'Before it was created' },
    ],
    changes: [{ kind: 'edit', at: now - 4 * dayMs, label: 'v2', text: '' }],
    keptFrom: now - 3 * dayMs,
  });
  const last = calls.lastIndexOf('line');
  expect(calls.indexOf('Before it was created')).toBeGreaterThan(last);
  expect(calls.indexOf('median and longest, up to 4 min')).toBeGreaterThan(last);
});

test('the length of a run stands in the part of its bar that is in view', () => {
  const view = { from: now - 4 * hourMs, to: now, width: 900 };
  const barOf = (start: number, end: number, attempts: RunBar['attempts'] = []): Bar => {
    const run: RunBar = { id: String(start), start, end, look: 'started', attempts };
    const x = ((start - view.from) / (view.to - view.from)) * view.width;
    const width = ((end - start) / (view.to - view.from)) * view.width;
    return { slot: { at: start, look: 'started', run }, x, width, lane: 0 };
  };
  const begun = view.from - 20 * 60_000;
  const [first, second] = [now - 2 * hourMs, now - hourMs];
  const bars = [
    barOf(begun, begun + 42 * 60_000),
    barOf(first, now, [
      { from: first, to: first + 50 * 60_000, isFailed: true },
      { from: second, to: now - 10 * 60_000, isFailed: false },
    ]),
    // Only a little of it is in view.
    barOf(view.from - hourMs, view.from + 5 * 60_000),
  ];
  drawn({ keptFrom: view.from, usual: { p50: null, p95: null } }, { plot: view, bars });
  const told = [...places].filter(([text]) => / (min|h)/.test(text));
  expect(told).toEqual([
    ['42 min', 7],
    ['50 min', 0.75 * view.width + 7],
  ]);
});

test('no label of the axis lies on the next one, also where an hour is named again', () => {
  const change = Date.UTC(2026, 10, 1, 6);
  drawn(
    { zone: 'America/New_York' },
    { plot: { from: change - 2 * hourMs, to: change + 2 * hourMs, width: 1020 } },
  );
  const labels = [...places]
    .filter(([text]) => /^\d\d/.test(text))
    .map(([text, x]) => ({ text, from: x, to: x + 6 * text.length }))
    .sort((a, b) => a.from - b.from);
  expect(labels.filter(({ text }) => text.endsWith('again')).length).toBeGreaterThan(0);
  expect(labels.filter(({ to }, index) => to > (labels[index + 1]?.from ?? to))).toEqual([]);
});

test('labels of stretches that lie over each other stand beside each other', () => {
  const label = { keptFrom: now - 5 * dayMs } as const;
  drawn({
    ...label,
    stretches: [
      { kind: 'forgotten', from: now - 9 * dayMs, to: now - 2 * dayMs, label: 'Older than the ledger' },
      { kind: 'outage', from: now - 4.5 * dayMs, to: now - 4 * dayMs, label: 'No node alive' },
      { kind: 'pause', from: now - 9 * dayMs, to: now - 3.8 * dayMs, label: 'Paused by jonas', note: '' },
    ],
  });
  const told = ['No node', 'Paused by jonas', 'Older than the ledger'].map((text) => {
    const x = places.get(text) ?? Number.NaN;
    return { from: x, to: x + 6 * text.length };
  });
  const inOrder = told.filter(({ from }) => !Number.isNaN(from)).sort((a, b) => a.from - b.from);
  expect(inOrder.length).toBeGreaterThanOrEqual(2);
  expect(places.has('Older than the ledger')).toBe(true);
  for (const [index, { to }] of inOrder.entries()) {
    expect(inOrder[index + 1]?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThan(to);
  }
});

test('how long runs took is named only where such bins are in view', () => {
  const bins = [bin(now - 30 * dayMs, 60_000), bin(now - 29 * dayMs, 60_000)];
  const calls = drawn({ bins, keptFrom: now - 40 * dayMs });
  expect(calls.filter((call) => call.startsWith('median'))).toEqual([]);
});

test('the lines of the hours stay faint beside an hour that the clock skips', () => {
  const change = Date.UTC(2027, 2, 14, 7);
  const calls = drawn(
    { zone: 'America/New_York' },
    {
      plot: { from: change - 4 * hourMs, to: change + 4 * hourMs },
      colour: { line: 'faint', 'text-2': 'dark' },
    },
  );
  // Two strokes cut the axis; all others of that colour would be lines of hours.
  expect(calls.filter((call) => call === 'dark')).toHaveLength(2);
  expect(calls.filter((call) => call === 'faint').length).toBeGreaterThanOrEqual(8);
});
