/** Draws the timeline on a canvas: stretches behind, then the axis, then slots with their runs or bins, then now. */
import { clockChanges, placeOf } from '../time/zone.ts';
import { drawBins, drawTookText } from './draw-bins.ts';
import { drawSlots } from './draw-slots.ts';
import type { Gap } from './free-place.ts';
import { firstPlace } from './free-place.ts';
import type { Packed } from './lanes.ts';
import type { Stretch, TimelineData } from './model.ts';
import type { Paint } from './paint.ts';
import type { Rows } from './rows.ts';
import { axisY, changesY, runsY, slotsY } from './rows.ts';
import type { Sprites } from './sprites.ts';
import { labelX, shortened, ticksOf } from './ticks.ts';
import type { Plot } from './view.ts';
import { detailAt, xOf } from './view.ts';

export interface Scene {
  readonly context: CanvasRenderingContext2D;
  readonly plot: Plot;
  readonly gutter: number;
  readonly rows: Rows;
  readonly data: TimelineData;
  readonly packed: Packed;
  readonly now: number;
  readonly isOffline: boolean;
  readonly paint: Paint;
  readonly sprites: Sprites;
  readonly ratio: number;
  /** 0 to 1: the breath of running bars. */
  readonly breath: number;
}

export function font(paint: Paint, size: number, weight = 400): string {
  return `${weight} ${size}px ${paint.sans}`;
}

export function drawTimeline(scene: Scene): void {
  const { context, plot, gutter, rows, ratio } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, gutter + plot.width, rows.height);
  context.textBaseline = 'alphabetic';
  const isBins = detailOf(scene) === 'bins';
  context.translate(gutter, 0);
  drawFuture(scene);
  drawStretches(scene);
  drawAxis(scene);
  if (isBins) drawBins(scene);
  else drawSlots(scene);
  drawChangeLines(scene);
  drawNow(scene);
  drawStretchLabels(scene);
  if (isBins) drawTookText(scene);
  if (gutter === 0) return;
  // The gutter is cleared afterwards, because a clip would cost as much as all the drawing.
  context.translate(-gutter, 0);
  context.clearRect(0, 0, gutter, rows.height);
  drawNames(scene, isBins);
}

export function pxPerSlot({ plot, data }: Pick<Scene, 'plot' | 'data'>): number {
  return (data.step / (plot.to - plot.from)) * plot.width;
}

/** The level of detail that is drawn: bins only when bins were fetched. */
export function detailOf(scene: Pick<Scene, 'plot' | 'data'>) {
  return scene.data.bins === null ? minTicks(detailAt(pxPerSlot(scene))) : 'bins';
}

function minTicks(detail: ReturnType<typeof detailAt>) {
  return detail === 'bins' ? 'ticks' : detail;
}

const patternKinds = {
  pause: 'pause',
  outage: 'outage',
  excluded: 'excluded',
  blackout: 'excluded',
} as const;

function drawStretches(scene: Scene): void {
  const { context, plot, rows, data, paint, sprites } = scene;
  const { colour } = paint;
  for (const stretch of data.stretches) {
    const left = Math.max(-2, xOf(plot, stretch.from));
    const right = Math.min(plot.width + 2, xOf(plot, stretch.to));
    if (right <= left) continue;
    const height = rows.height - axisY;
    context.fillStyle =
      stretch.kind === 'forgotten' ? colour.sunken : sprites.pattern(context, patternKinds[stretch.kind]);
    context.fillRect(left, axisY, right - left, height);
    if (stretch.kind !== 'forgotten' && right - left > 3) {
      context.strokeStyle = stretch.kind === 'pause' ? colour.person : colour['text-3'];
      context.globalAlpha = 0.4;
      context.lineWidth = 1;
      line(context, [left + 0.5, axisY, left + 0.5, rows.height]);
      line(context, [right - 0.5, axisY, right - 0.5, rows.height]);
      context.globalAlpha = 1;
    }
  }
}

/** Draws the labels of stretches, above the lines of the axis, of changes and of now. */
function drawStretchLabels(scene: Scene): void {
  const { plot, data } = scene;
  const shown = data.stretches
    .map((stretch) => ({
      stretch,
      from: Math.max(0, xOf(plot, stretch.from)),
      to: Math.min(plot.width + 2, xOf(plot, stretch.to)),
    }))
    .filter(({ from, to }) => to > from)
    // The short ones first: a long one has room beside them.
    .sort((a, b) => a.to - a.from - (b.to - b.from));
  const taken: Gap[] = [];
  for (const { stretch, ...within } of shown) drawLabel(scene, stretch, within, taken);
}

/** The beginning of a text that fits into `room`, estimated by its width. */
function cutTo(text: string, room: number, width: number): string {
  if (width <= room) return text;
  return `${text.slice(0, Math.max(0, Math.floor((text.length * room) / width) - 3)).trimEnd()}…`;
}

/** Draws person and note if they fit, or the beginning of the note; otherwise the person; otherwise nothing. */
function drawLabel({ context, rows, paint }: Scene, stretch: Stretch, within: Gap, taken: Gap[]): void {
  const { colour } = paint;
  context.font = font(paint, 11, 500);
  const full =
    stretch.note === undefined || stretch.note === '' ? stretch.label : `${stretch.label} · ${stretch.note}`;
  const cut = cutTo(full, within.to - within.from - 12, context.measureText(full).width);
  const isTold = cut.length > stretch.label.length + 8;
  const short = stretch.label.split(' by ')[0]?.replace(' alive', '') ?? '';
  for (const text of [full, ...(isTold ? [cut] : []), stretch.label, short]) {
    const { width } = context.measureText(text);
    const left = firstPlace(taken, within, width + 12);
    if (left === undefined) continue;
    const ink = stretch.kind === 'pause' ? colour['person-t'] : colour['text-2'];
    drawText({ context, paint }, text, { x: left + 8, y: rows.labelsY + 1, width, ink });
    taken.push({ from: left, to: left + width + 12 });
    return;
  }
}

/** Draws a text on a background of its own, so that no line crosses it. */
export function drawText(
  { context, paint }: Pick<Scene, 'context' | 'paint'>,
  text: string,
  {
    x,
    y,
    width,
    ink,
  }: { readonly x: number; readonly y: number; readonly width: number; readonly ink: string },
): void {
  context.globalAlpha = 0.9;
  context.fillStyle = paint.colour.surface;
  context.beginPath();
  context.roundRect(x - 4, y - 12, width + 8, 16, 3);
  context.fill();
  context.globalAlpha = 1;
  context.fillStyle = ink;
  context.fillText(text, x, y);
}

function drawAxis(scene: Scene): void {
  const { context, plot, rows, data, paint, now } = scene;
  const { colour } = paint;
  context.lineWidth = 1;
  context.strokeStyle = colour.line;
  line(context, [0, axisY - 0.5, plot.width, axisY - 0.5]);
  drawClockChanges(scene);
  context.strokeStyle = colour.line;
  const { major, minor, lead } = ticksOf(data.zone, plot);
  const nowX = xOf(plot, now);
  // A label ends before the next one begins: `01:15 again` is longer than the ticks are apart.
  let free = 0;
  for (const { at, text, isAgain } of minor) {
    const x = Math.round(xOf(plot, at)) + 0.5;
    context.globalAlpha = 0.75;
    line(context, [x, axisY, x, rows.height]);
    context.globalAlpha = 1;
    context.font = font(paint, 11, isAgain === true ? 600 : 400);
    const { width } = context.measureText(text);
    const left = labelX(x, width, { plot, nowX });
    if (left === undefined || left < free) continue;
    free = left + width + 4;
    context.fillStyle = isAgain === true ? colour['text-2'] : colour['text-3'];
    context.fillText(text, left, axisY - 8);
  }
  context.font = font(paint, 11, 600);
  context.fillStyle = colour.text;
  context.strokeStyle = colour['line-2'];
  let firstMajor = Number.POSITIVE_INFINITY;
  for (const { at, text } of major) {
    const x = Math.round(xOf(plot, at)) + 0.5;
    if (x < 0) continue;
    line(context, [x, 0, x, rows.height]);
    firstMajor = Math.min(firstMajor, x);
    const left = labelX(x, context.measureText(text).width, { plot });
    if (left !== undefined) context.fillText(text, left, 15);
  }
  if (firstMajor > 96) context.fillText(lead, 12, 15);
}

/** Draws clock changes: a repeated hour has a hatched background the second time; a skipped hour is a cut in the axis. */
function drawClockChanges({ context, plot, data, paint, sprites }: Scene): void {
  const px = plot.width / (plot.to - plot.from);
  for (const { at, by } of clockChanges(data.zone, plot.from - 86_400_000, plot.to)) {
    if (Math.abs(by) * px < 8) continue;
    const x = xOf(plot, at);
    if (by < 0) {
      context.fillStyle = sprites.pattern(context, 'excluded');
      context.fillRect(x, axisY - 20, -by * px, 19);
      continue;
    }
    context.clearRect(x - 3, axisY - 2, 6, 4);
    context.strokeStyle = paint.colour['text-2'];
    line(context, [x - 5, axisY + 4, x - 1, axisY - 6]);
    line(context, [x + 1, axisY + 4, x + 5, axisY - 6]);
  }
}

function drawFuture({ context, plot, rows, paint, now }: Scene): void {
  const x = Math.max(0, xOf(plot, now));
  if (x >= plot.width) return;
  context.globalAlpha = 0.6;
  context.fillStyle = paint.colour.sunken;
  context.fillRect(x, axisY, plot.width - x, rows.height - axisY);
  context.globalAlpha = 1;
}

function drawChangeLines({ context, plot, rows, data, paint }: Scene): void {
  const { colour } = paint;
  context.setLineDash([2, 3]);
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  for (const { at, kind } of data.changes) {
    const x = Math.round(xOf(plot, at)) + 0.5;
    if (x < 0 || x > plot.width) continue;
    context.strokeStyle = kind === 'edit' || kind === 'created' ? colour['person-t'] : colour.text;
    line(context, [x, changesY - 8, x, rows.height]);
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
}

/** Draws the line of now; dashed when the server is unreachable and the page shows an older time. */
function drawNow({ context, plot, rows, paint, now, isOffline }: Scene): void {
  const x = xOf(plot, now);
  if (x < -10 || x > plot.width + 10) return;
  context.strokeStyle = paint.colour.ink;
  context.lineWidth = 1.5;
  context.setLineDash(isOffline ? [4, 3] : []);
  line(context, [x, axisY - 4, x, rows.height]);
  context.setLineDash([]);
}

function drawNames({ context, gutter, rows, data, paint }: Scene, isBins: boolean): void {
  const { colour } = paint;
  context.strokeStyle = colour.line;
  context.lineWidth = 1;
  line(context, [gutter - 0.5, 0, gutter - 0.5, rows.height]);
  context.fillStyle = colour.text;
  context.font = font(paint, 11, 600);
  // A name can still be read when it is a little condensed.
  const room = gutter - 20;
  const fits = (text: string) => context.measureText(text).width <= 1.15 * room;
  context.fillText(shortened(placeOf(data.zone), fits), 16, 15, room);
  context.fillStyle = colour['text-3'];
  context.font = font(paint, 11);
  const names: readonly (readonly [string, number])[] = isBins
    ? [
        ['time', axisY - 8],
        ['changes', changesY + 3],
        ['ran', slotsY - 10],
        ['did not', slotsY + 30],
        ['took', runsY + 50],
      ]
    : [
        ['time', axisY - 8],
        ['changes', changesY + 3],
        ['slots', slotsY + 4],
        ['runs', runsY + 11],
        ['stretches', rows.labelsY + 1],
      ];
  for (const [name, y] of names) context.fillText(name, 16, y);
}

export function line(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath();
  context.moveTo(points[0] ?? 0, points[1] ?? 0);
  for (let i = 2; i < points.length; i += 2) context.lineTo(points[i] ?? 0, points[i + 1] ?? 0);
  context.stroke();
}
