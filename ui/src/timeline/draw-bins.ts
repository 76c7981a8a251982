/** Draws many slots as bins: those that ran above the line, the others below it, and how long runs took. */
import { lengthText } from '../time/text.ts';
import type { Piece } from './bins.ts';
import { isHollow, stackOf, strengthOf, tookSpans, totalOf } from './bins.ts';
import type { Scene } from './draw.ts';
import { drawText, font, line } from './draw.ts';
import type { Paint } from './paint.ts';
import { runsY, slotsY } from './rows.ts';
import { xOf } from './view.ts';

const upRoom = 40;
const downRoom = 34;
const tookTop = runsY + 28;
const tookRoom = 36;

export function drawBins(scene: Scene): void {
  const { context, plot, data, paint } = scene;
  const bins = data.bins ?? [];
  const y = slotsY + 8;
  const full = Math.max(1, ...bins.map(totalOf));
  context.strokeStyle = paint.colour['line-2'];
  context.lineWidth = 1;
  line(context, [0, y, plot.width, y]);
  for (const bin of bins) {
    const left = xOf(plot, bin.from) + 0.75;
    const width = Math.max(1.5, xOf(plot, bin.to) - left - 0.75);
    if (left + width < 0 || left > plot.width) continue;
    const { up, down } = stackOf(bin, { full, up: upRoom, down: downRoom });
    let top = y - 1;
    for (const piece of up) {
      top -= piece.height;
      drawPiece(scene, piece, left, top, width);
    }
    let foot = y + 1;
    for (const piece of down) {
      drawPiece(scene, piece, left, foot, width);
      foot += piece.height;
    }
  }
  drawTook(scene);
}

function drawPiece({ context, paint }: Scene, piece: Piece, x: number, y: number, width: number): void {
  const radius = Math.min(1.5, width / 3);
  context.beginPath();
  if (isHollow(piece)) {
    context.roundRect(
      x + 0.6,
      y + 0.6,
      Math.max(0.5, width - 1.2),
      Math.max(0.5, piece.height - 1.2),
      radius,
    );
    context.strokeStyle = colourOf(piece.kind, paint);
    context.lineWidth = 1.2;
    context.stroke();
    return;
  }
  context.roundRect(x, y, width, Math.max(0.5, piece.height - 0.5), radius);
  context.fillStyle = colourOf(piece.kind, paint);
  context.globalAlpha = strengthOf(piece);
  context.fill();
  context.globalAlpha = 1;
}

function colourOf(kind: Piece['kind'], { colour }: Paint): string {
  switch (kind) {
    case 'ran':
    case 'late':
    case 'faded':
      return colour['ran-area'];
    case 'busy':
      return colour.busy;
    case 'failed':
    case 'lost':
      return colour.fail;
    case 'projected':
      return colour['line-2'];
    case 'passed':
      return colour.person;
    default:
      return colour[kind];
  }
}

/** Draws the median duration as a line, and the longest as an area. */
function drawTook({ context, plot, data, paint }: Scene): void {
  const spans = tookSpans(data.bins ?? []);
  const most = Math.max(1, ...spans.flat().map(({ longestMs }) => longestMs));
  for (const span of spans) {
    const points = span.map(({ at, medianMs, longestMs }) => ({ x: xOf(plot, at), medianMs, longestMs }));
    drawTookSpan(context, paint, { points, most });
  }
}

interface TookSpan {
  readonly points: readonly { readonly x: number; readonly medianMs: number; readonly longestMs: number }[];
  /** The duration that fills the height of the row. */
  readonly most: number;
}

function drawTookSpan(
  context: CanvasRenderingContext2D,
  paint: Paint,
  { points: given, most }: TookSpan,
): void {
  const [only] = given;
  if (only === undefined) return;
  // A single bin is drawn as a dash.
  const points =
    given.length > 1
      ? given
      : [
          { ...only, x: only.x - 3 },
          { ...only, x: only.x + 3 },
        ];
  const [first, last] = [points[0] ?? only, points.at(-1) ?? only];
  const base = tookTop + tookRoom;
  const yOf = (ms: number) => base - (ms / most) * tookRoom;
  context.beginPath();
  context.moveTo(first.x, base);
  for (const { x, longestMs } of points) context.lineTo(x, yOf(longestMs));
  context.lineTo(last.x, base);
  context.closePath();
  context.globalAlpha = 0.14;
  context.fillStyle = paint.colour.ran;
  context.fill();
  context.globalAlpha = 1;
  context.beginPath();
  for (const { x, medianMs } of points) context.lineTo(x, yOf(medianMs));
  context.strokeStyle = paint.colour.ran;
  context.lineWidth = 1.5;
  context.stroke();
}

/** Draws the label of the durations at the left end, beside the name of the row. */
export function drawTookText({ context, plot, data, paint }: Scene): void {
  const shown = (data.bins ?? []).filter(({ from, to }) => to > plot.from && from < plot.to);
  const known = shown.flatMap(({ longestMs }) => (longestMs === null ? [] : [longestMs]));
  if (known.length < 2) return;
  const text = `median and longest, up to ${lengthText(Math.max(...known))}`;
  context.font = font(paint, 10);
  const { width } = context.measureText(text);
  drawText({ context, paint }, text, { x: 12, y: tookTop - 4, width, ink: paint.colour['text-3'] });
}
