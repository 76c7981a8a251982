/** Single slots with their runs and the relations between them. */
import { lengthText } from '../time/text.ts';
import { familyOf } from '../verdict/verdict.ts';
import type { Scene } from './draw.ts';
import { detailOf, font, line, pxPerSlot } from './draw.ts';
import type { Bar } from './lanes.ts';
import type { Slot } from './model.ts';
import { barHeight, handLift, laneHeight, runsY, slotsY } from './rows.ts';
import { patternOf } from './sprites.ts';
import { xOf } from './view.ts';

/** A duration fits inside a bar from this width on. */
const labelledFrom = 46;

export function drawSlots(scene: Scene): void {
  const { plot, data, packed } = scene;
  const px = pxPerSlot(scene);
  const detail = detailOf(scene);
  const isDetailed = detail === 'full' || detail === 'marks';
  const size = detail === 'full' ? 16 : detail === 'marks' ? 13 : px >= 8 ? 9 : 7;
  const shown = data.slots.filter(({ at }) => {
    const x = xOf(plot, at);
    return x > -60 && x < plot.width + 60;
  });
  drawLine(scene);
  if (isDetailed) {
    const bars = new Map(packed.bars.map((bar) => [bar.slot.run?.id ?? '', bar]));
    for (const slot of shown) drawRelations(scene, slot, bars, size);
    for (const slot of shown) drawProjection(scene, slot);
  }
  for (const bar of packed.bars) drawBar(scene, bar, isDetailed);
  drawCrowded(scene);
  for (const slot of shown) drawMark(scene, slot, size, isDetailed);
}

/** Solid before now, dashed after. */
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
      context.strokeStyle = paint.family(familyOf(slot.look));
      context.lineWidth = 1.4;
      line(context, [x, foot, x, slotsY + 19, bar.x, slotsY + 19, bar.x, top]);
      if (late > 60) {
        context.fillStyle = paint.colour['text-3'];
        context.font = font(paint, 10);
        context.textAlign = 'center';
        context.fillText(`${lengthText(slot.run.start - slot.at)} late`, x + late / 2, slotsY + 15);
        context.textAlign = 'start';
      }
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

/** From a merged slot to the one that ran for it. */
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

/** A dashed box as long as runs usually take. */
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

function drawBar(scene: Scene, bar: Bar, isDetailed: boolean): void {
  const { context, paint, breath } = scene;
  const { slot, x, width, lane } = bar;
  const { run } = slot;
  if (run === undefined) return;
  const height = isDetailed ? barHeight : 9;
  const y = runsY + lane * laneHeight + (isDetailed ? 0 : 3);
  const family = familyOf(run.look);
  if (isDetailed && run.attempts.length > 1) drawAttempts(scene, bar, y, height);
  else {
    context.fillStyle = family === 'ran' ? paint.colour['ran-area'] : paint.family(family);
    context.globalAlpha = run.end === null && run.look === 'running' ? 0.55 + 0.45 * breath : 1;
    context.beginPath();
    context.roundRect(x, y, width, height, Math.min(3, width / 2));
    context.fill();
    context.globalAlpha = 1;
  }
  if (run.end === null && isDetailed) drawWhisker(scene, bar, y, height);
  if (width > labelledFrom && isDetailed && run.attempts.length < 2) {
    const length = (run.end ?? scene.now) - run.start;
    context.fillStyle = paint.colour.surface;
    context.font = font(paint, 10.5, 600);
    context.fillText(lengthText(length), x + 7, y + height - 4, width - 10);
  }
}

/** Attempts are segments: failed ones hatched, waits between them a thin line. */
function drawAttempts(scene: Scene, { slot, x, width }: Bar, y: number, height: number): void {
  const { context, plot, paint, now, ratio } = scene;
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
      ? patternOf(context, paint, 'failed', ratio)
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

/** From now on to what is usual and what is long. */
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
  if (!isDetailed && slot.look === 'started') {
    context.fillStyle = paint.colour.ran;
    context.beginPath();
    context.roundRect(x - 1.5, slotsY - 6, 3, 12, 1.5);
    context.fill();
    return;
  }
  const small = slot.look === 'notYet' ? Math.min(size, 13) : size;
  sprites.draw(context, slot.look, x, slotsY, small);
}
