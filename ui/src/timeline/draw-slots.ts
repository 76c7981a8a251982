/** Draws single slots with their runs and the relations between them. */
import { lengthText } from '../time/text.ts';
import { familyOf } from '../verdict/verdict.ts';
import type { Scene } from './draw.ts';
import { detailOf, font, line, pxPerSlot } from './draw.ts';
import type { Gap } from './free-place.ts';
import { freePlace } from './free-place.ts';
import type { Bar } from './lanes.ts';
import type { RunBar, Slot } from './model.ts';
import type { Paint } from './paint.ts';
import { barHeight, handLift, laneHeight, runsY, slotsY } from './rows.ts';
import type { View } from './view.ts';
import { timeAt, xOf } from './view.ts';

/** The width from which a bar has room for its duration. */
const labelledFrom = 46;
const smallBarHeight = 9;

export function drawSlots(scene: Scene): void {
  const { plot, data, packed } = scene;
  const px = pxPerSlot(scene);
  const detail = detailOf(scene);
  const isDetailed = detail === 'full' || detail === 'marks';
  const size = detail === 'full' ? 16 : detail === 'marks' ? 13 : px >= 8 ? 9 : 7;
  const shown = slotsIn(data.slots, timeAt(plot, -60), timeAt(plot, plot.width + 60));
  drawLine(scene);
  if (isDetailed) {
    const bars = new Map(packed.bars.map((bar) => [bar.slot.run?.id ?? '', bar]));
    for (const slot of shown) drawRelations(scene, slot, bars, size);
    drawLateness(scene, shown, bars);
    for (const slot of shown) drawProjection(scene, slot);
    for (const bar of packed.bars) drawBar(scene, bar);
  } else drawSmallBars(scene);
  drawCrowded(scene);
  if (!isDetailed) drawTicks(scene, shown);
  for (const slot of shown) if (isDetailed || !isTick(slot)) drawMark(scene, slot, size, isDetailed);
}

/** The slots of a stretch of time; `slots` is in the order of their times. */
function slotsIn(slots: readonly Slot[], from: number, to: number): readonly Slot[] {
  return slots.slice(firstFrom(slots, from), firstFrom(slots, to));
}

function firstFrom(slots: readonly Slot[], at: number): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((slots[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a slot is drawn only as a tick when there is little room: its run is as expected. */
function isTick({ look, byHand }: Slot): boolean {
  return look === 'started' && byHand === undefined;
}

/** Draws all ticks as one path, because filling each by itself would be most of the work of a frame. */
function drawTicks({ context, plot, paint }: Scene, slots: readonly Slot[]): void {
  context.fillStyle = paint.colour.ran;
  context.beginPath();
  for (const slot of slots) {
    if (isTick(slot)) context.roundRect(xOf(plot, slot.at) - 1.5, slotsY - 6, 3, 12, 1.5);
  }
  context.fill();
}

/** Draws the bars of each colour as one path. */
function drawSmallBars({ context, packed, paint, breath }: Scene): void {
  const paths = new Map<string, Bar[]>();
  for (const bar of packed.bars) {
    const { run } = bar.slot;
    if (run === undefined) continue;
    const colour = barColour(paint, run);
    const same = paths.get(colour);
    if (same === undefined) paths.set(colour, [bar]);
    else same.push(bar);
  }
  for (const [colour, bars] of paths) {
    context.fillStyle = colour;
    context.globalAlpha = colour === paint.colour.busy ? 0.55 + 0.45 * breath : 1;
    context.beginPath();
    for (const { x, width, lane } of bars) {
      context.roundRect(x, runsY + lane * laneHeight + 3, width, smallBarHeight, Math.min(3, width / 2));
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

function barColour(paint: Paint, { look }: RunBar): string {
  const family = familyOf(look);
  return family === 'ran' ? paint.colour['ran-area'] : paint.family(family);
}

/** Draws the line of the slots: solid before now, dashed after. */
function drawLine({ context, plot, data, paint, now }: Scene): void {
  const begin = Math.max(0, xOf(plot, data.keptFrom));
  const middle = Math.min(plot.width, Math.max(0, xOf(plot, now)));
  context.strokeStyle = paint.colour['line-2'];
  context.lineWidth = 1.5;
  if (middle > begin) line(context, [begin, slotsY, middle, slotsY]);
  context.setLineDash([3, 4]);
  line(context, [middle, slotsY, plot.width, slotsY]);
  context.setLineDash([]);
}

function drawRelations(scene: Scene, slot: Slot, bars: ReadonlyMap<string, Bar>, size: number): void {
  const { context, plot, paint } = scene;
  const x = xOf(plot, slot.at);
  const foot = slotsY + size / 2 + 2;
  const bar = bars.get(slot.run?.id ?? '');
  if (slot.run !== undefined && bar !== undefined) {
    const top = runsY + bar.lane * laneHeight;
    const late = bar.x - x;
    if (late > 4) {
      // The horizontal part of the stem is the lateness.
      context.strokeStyle = lateOf(slot) > 0 ? paint.family(familyOf(slot.look)) : paint.colour['line-2'];
      context.lineWidth = 1.4;
      line(context, [x, foot, x, slotsY + 19, bar.x, slotsY + 19, bar.x, top]);
    } else {
      context.strokeStyle = paint.colour['line-2'];
      context.lineWidth = 1;
      line(context, [x, slot.byHand === undefined ? foot : slotsY - 12, x, top]);
    }
  }
  const blocker = slot.blockedBy === undefined ? undefined : bars.get(slot.blockedBy);
  if (blocker !== undefined) {
    const top = runsY + blocker.lane * laneHeight;
    context.strokeStyle = paint.colour.policy;
    context.lineWidth = 1.4;
    context.setLineDash([2, 2.5]);
    line(context, [x, foot, x, top]);
    context.setLineDash([]);
    context.lineWidth = 2;
    line(context, [x - 4, top - 0.5, x + 4, top - 0.5]);
  }
  if (slot.ranAs !== undefined && slot.ranAs !== slot.at) drawArc(scene, x, xOf(plot, slot.ranAs), size);
}

/** Milliseconds between the time of a slot, after its jitter, and its start; 0 when it is less than a second. */
function lateOf({ run, at, due = at }: Slot): number {
  const late = run === undefined ? 0 : run.start - due;
  return late < 1000 ? 0 : late;
}

/** Draws the lateness as text above the bent stems, where no other stem crosses the text. */
function drawLateness(
  { context, plot, paint }: Scene,
  slots: readonly Slot[],
  bars: ReadonlyMap<string, Bar>,
): void {
  const stems = slots
    .filter(({ run, blockedBy }) => bars.has(run?.id ?? '') || bars.has(blockedBy ?? ''))
    .map(({ at }) => xOf(plot, at));
  const taken: Gap[] = stems.map((x) => ({ from: x, to: x }));
  context.font = font(paint, 10);
  context.fillStyle = paint.colour['text-3'];
  for (const slot of slots) {
    const bar = bars.get(slot.run?.id ?? '');
    const late = lateOf(slot);
    if (bar === undefined || late === 0) continue;
    const text = `${lengthText(late)} late`;
    const { width } = context.measureText(text);
    const x = freePlace(taken, { from: xOf(plot, slot.at), to: bar.x }, width + 8);
    if (x === undefined) continue;
    context.fillText(text, x + 4, slotsY + 15);
    taken.push({ from: x, to: x + width + 8 });
  }
}

/** Draws the line from a merged slot to the one that ran for it. */
function drawArc({ context, paint }: Scene, from: number, to: number, size: number): void {
  const rise = Math.min(24, Math.abs(to - from) * 0.3);
  const top = slotsY - size / 2;
  context.strokeStyle = paint.colour.policy;
  context.lineWidth = 1.2;
  context.setLineDash([2, 2.5]);
  context.beginPath();
  context.moveTo(from, top - 2);
  const pull = (to - from) * 0.15;
  context.bezierCurveTo(from + pull, top - rise, to - pull, top - rise, to, top - 3);
  context.stroke();
  context.setLineDash([]);
}

/** Draws a dashed box with the usual length of a run. */
function drawProjection({ context, plot, data, paint }: Scene, slot: Slot): void {
  if (slot.look !== 'notYet' || data.usual.p50 === null) return;
  const x = xOf(plot, slot.at);
  const width = Math.max(3, xOf(plot, slot.at + data.usual.p50) - x);
  context.strokeStyle = paint.colour['line-2'];
  context.lineWidth = 1;
  context.setLineDash([3, 2]);
  line(context, [x, slotsY + 6, x, runsY]);
  context.beginPath();
  context.roundRect(x + 0.5, runsY + 0.5, width, barHeight - 1, 3);
  context.stroke();
  context.setLineDash([]);
}

function drawBar(scene: Scene, bar: Bar): void {
  const { context, paint, breath } = scene;
  const { slot, x, width, lane } = bar;
  const { run } = slot;
  if (run === undefined) return;
  const y = runsY + lane * laneHeight;
  if (run.attempts.length > 1) drawAttempts(scene, bar, y, barHeight);
  else {
    context.fillStyle = barColour(paint, run);
    context.globalAlpha = run.end === null && run.look === 'running' ? 0.55 + 0.45 * breath : 1;
    context.beginPath();
    context.roundRect(x, y, width, barHeight, Math.min(3, width / 2));
    context.fill();
    context.globalAlpha = 1;
  }
  if (run.end === null) drawWhisker(scene, bar, y, barHeight);
  // A failed attempt is hatched and has no room for a text; the last attempt has its own length.
  const last = run.attempts.length > 1 ? run.attempts.at(-1) : undefined;
  if (last?.isFailed === true) return;
  const from = last?.from ?? run.start;
  const to = (last === undefined ? run.end : last.to) ?? scene.now;
  drawLength(scene, { from, to }, y);
}

/** Draws a length inside the part of a bar that is in view: cut at the edge, `42 min` would be read as `2 min`. */
function drawLength({ context, plot, paint }: Scene, { from, to }: View, y: number): void {
  const left = Math.max(0, xOf(plot, from));
  const room = Math.min(plot.width, xOf(plot, to)) - left;
  if (room <= labelledFrom) return;
  context.fillStyle = paint.colour.surface;
  context.font = font(paint, 10.5, 600);
  context.fillText(lengthText(to - from), left + 7, y + barHeight - 4, room - 10);
}

/** Draws attempts as segments: failed ones are hatched, and the waits between them are a thin line. */
function drawAttempts(scene: Scene, { slot, x, width }: Bar, y: number, height: number): void {
  const { context, plot, paint, now, sprites } = scene;
  const { run } = slot;
  if (run === undefined) return;
  context.strokeStyle = paint.family(familyOf(run.look));
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  line(context, [x, y + height / 2, x + width, y + height / 2]);
  context.globalAlpha = 1;
  for (const { from, to, isFailed } of run.attempts) {
    const left = xOf(plot, from);
    const wide = Math.max(2.5, xOf(plot, to ?? now) - left - 1);
    context.fillStyle = isFailed
      ? sprites.pattern(context, 'failed')
      : run.look === 'running'
        ? paint.colour.busy
        : paint.colour['ran-area'];
    context.beginPath();
    context.roundRect(left, y, wide, height, 2.5);
    context.fill();
    if (!isFailed) continue;
    context.strokeStyle = paint.colour.fail;
    context.stroke();
  }
}

/** Draws the expected end of a run: from now to the usual length, and to a long one. */
function drawWhisker(scene: Scene, { slot, x, width }: Bar, y: number, height: number): void {
  const { context, plot, data, paint } = scene;
  const { run } = slot;
  const { p50, p95 } = data.usual;
  if (run === undefined || p95 === null) return;
  const end = xOf(plot, run.start + p95);
  const from = x + width;
  if (end <= from + 2) return;
  const middle = y + height / 2;
  context.strokeStyle = paint.colour.busy;
  context.lineWidth = 1.2;
  context.setLineDash([2, 2]);
  line(context, [from, middle, end, middle]);
  context.setLineDash([]);
  line(context, [end, y + 3, end, y + height - 3]);
  const usual = p50 === null ? from : xOf(plot, run.start + p50);
  if (usual > from + 2) line(context, [usual, y + 5, usual, y + height - 5]);
}

function drawCrowded({ context, packed, paint }: Scene): void {
  if (packed.crowded.length === 0) return;
  context.font = font(paint, 10, 600);
  context.fillStyle = paint.colour['text-2'];
  for (const { x, count } of packed.crowded) context.fillText(`+${count}`, x, runsY + 3 * laneHeight + 9);
}

const personPath =
  'M2.500 5.200m-1.100 0a2.600 2.600 0 1 1 5.200 0a2.600 2.600 0 1 1-5.200 0M-1.200 13.600c.5-2.800 2.600-4.200 5.200-4.200s4.700 1.400 5.200 4.200';
let person: Path2D | undefined;

function drawMark(scene: Scene, slot: Slot, size: number, isDetailed: boolean): void {
  const { context, plot, paint, sprites } = scene;
  const x = xOf(plot, slot.at);
  if (slot.byHand !== undefined) {
    const y = slotsY - handLift;
    if (!isDetailed) {
      sprites.draw(context, slot.look, x, y + 6, size);
      return;
    }
    const family = familyOf(slot.look);
    context.fillStyle = paint.colour.surface;
    context.strokeStyle = paint.family(family);
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(x, y, 8.5, 0, 7);
    context.fill();
    context.stroke();
    person ??= new Path2D(personPath);
    context.save();
    context.translate(x - 2.75, y - 5.4);
    context.scale(0.68, 0.68);
    context.lineWidth = 1.9;
    context.stroke(person);
    context.restore();
    return;
  }
  const small = slot.look === 'notYet' ? Math.min(size, 13) : size;
  sprites.draw(context, slot.look, x, slotsY, small);
}
