/** The range of time that is shown, and the moves that change it. */
import { dayMs, hourMs, minuteMs, secondMs } from '../time/zone.ts';

export interface View {
  readonly from: number;
  readonly to: number;
}

export interface Plot extends View {
  /** The width in pixels. */
  readonly width: number;
}

export const shortest = 20 * minuteMs;
export const longest = 426 * dayMs;

/** The shortest view. For slots that are less than a minute apart it shows twenty of them. */
export function shortestOf(step: number): number {
  return Math.max(20 * secondMs, Math.min(shortest, 20 * step));
}

/** Pixels per slot when a schedule is opened, and the position of now at that time. */
const openingPx = 34;
export const openingNow = 0.82;

export const presets = [
  { name: '1h', text: '1 h', span: hourMs, now: 0.8 },
  { name: '6h', text: '6 h', span: 6 * hourMs, now: 0.8 },
  { name: 'day', text: 'Day', span: dayMs, now: 0.8 },
  { name: 'week', text: 'Week', span: 7 * dayMs, now: 0.8 },
  { name: 'month', text: 'Month', span: 31 * dayMs, now: 0.8 },
  { name: 'year', text: 'Year', span: 366 * dayMs, now: 0.62 },
] as const;
export type PresetName = (typeof presets)[number]['name'];

/** A view with now at a given position. Limits change the span and never the position, so that now stays visible. */
export function around(now: number, span: number, place: number): View {
  const shown = clamped(span);
  return { from: now - shown * place, to: now + shown * (1 - place) };
}

function clamped(span: number, least = shortest): number {
  return Math.min(Math.max(span, least), longest);
}

export function isIn({ from, to }: View, at: number): boolean {
  return at >= from && at <= to;
}

export function openingView(step: number, width: number, now: number): View {
  const slots = step > 7 * dayMs ? 24 : width / openingPx;
  return around(now, slots * step, openingNow);
}

/**
 * The view with a slot in it: a schedule that is due in a year, or ended long ago, does not open on an empty axis. Now
 * stays in view, and the span grows only as far as it must.
 */
export function withSlot(
  view: View,
  now: number,
  { last, next }: { readonly last: number | undefined; readonly next: number | undefined },
): View {
  const margin = (span: number) => 0.06 * span;
  const inside = (at: number | undefined) =>
    at !== undefined && isIn({ from: view.from, to: view.to - margin(view.to - view.from) }, at);
  if (inside(last) || inside(next)) return view;
  const isAhead = next !== undefined && (last === undefined || next - now <= now - last);
  const target = isAhead ? next : (last ?? next);
  if (target === undefined) return view;
  const span = clamped(Math.max(view.to - view.from, Math.abs(target - now) / 0.88));
  const from = target > now ? target + margin(span) - span : target - margin(span);
  const shown = { from, to: from + span };
  // Out of reach even in the longest view: now is what remains.
  return isIn(shown, now) ? shown : view;
}

export function presetView(name: PresetName, now: number): View {
  const { span, now: place } = presets.find((preset) => preset.name === name) ?? presets[2];
  return around(now, span, place);
}

export function xOf({ from, to, width }: Plot, at: number): number {
  return ((at - from) / (to - from)) * width;
}

export function timeAt({ from, to, width }: Plot, x: number): number {
  return from + (x / width) * (to - from);
}

/** `factor` below one zooms in, to no less than `least`; the time under `x` stays there. */
export function zoomed(plot: Plot, factor: number, x: number, least = shortest): View {
  const at = timeAt(plot, x);
  const span = clamped((plot.to - plot.from) * factor, least);
  const share = x / plot.width;
  return { from: at - share * span, to: at + (1 - share) * span };
}

export function panned({ from, to }: View, by: number): View {
  return { from: from + by, to: to + by };
}

/** Moves as little as needed to show the time with some room. */
export function revealing(view: View, at: number): View {
  const span = view.to - view.from;
  const margin = span * 0.06;
  if (at < view.from + margin) return panned(view, at - view.from - span * 0.3);
  if (at > view.to - margin) return panned(view, at - view.to + span * 0.3);
  return view;
}

/** The range to fetch: one screen of margin on each side, on a grid, so that small moves need no request. */
export function fetchRange({ from, to }: View): View {
  const span = to - from;
  const grid = 2 ** Math.ceil(Math.log2(span / 2));
  return { from: Math.floor((from - span / 2) / grid) * grid, to: Math.ceil((to + span / 2) / grid) * grid };
}

export type Detail = 'full' | 'marks' | 'ticks' | 'bins';

/** The level of detail follows the pixels per slot, never the unit of time. */
export function detailAt(pxPerSlot: number): Detail {
  if (pxPerSlot >= 26) return 'full';
  if (pxPerSlot >= 14) return 'marks';
  return pxPerSlot >= 4 ? 'ticks' : 'bins';
}

/** The sizes of bins that the server counts by. */
export const binSizes = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '2h': 2 * hourMs,
  '3h': 3 * hourMs,
  '6h': 6 * hourMs,
  '12h': 12 * hourMs,
  '1d': dayMs,
  '2d': 2 * dayMs,
  '7d': 7 * dayMs,
  '14d': 14 * dayMs,
} as const;
export type BinName = keyof typeof binSizes;

/** The smallest size whose bins are at least seven pixels wide. */
export function binName({ from, to, width }: Plot): BinName {
  const pxPerMs = width / (to - from);
  const names = Object.keys(binSizes) as BinName[];
  return names.find((name) => binSizes[name] * pxPerMs >= 7) ?? '14d';
}
