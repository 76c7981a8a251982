/** Marks and hatches, drawn once per theme and then copied: two thousand marks take a millisecond. */
import type { Shape } from '../verdict/mark-shapes.ts';
import { markShapes } from '../verdict/mark-shapes.ts';
import type { Look } from '../verdict/verdict.ts';
import { familyOf, ran } from '../verdict/verdict.ts';
import type { Paint } from './paint.ts';

/** Room around the 12 × 12 field for tails and thick lines. */
const margin = 3;
const field = 12 + 2 * margin;

export class Sprites {
  readonly #paint: Paint;
  readonly #ratio: number;
  /** By look and size. A bitmap is copied several times faster than a canvas. */
  readonly #drawn = new Map<Look, Map<number, ImageBitmap>>();
  readonly #patterns = new Map<PatternKind, CanvasPattern | string>();

  constructor(paint: Paint, ratio: number) {
    this.#paint = paint;
    this.#ratio = ratio;
  }

  draw(context: CanvasRenderingContext2D, look: Look, x: number, y: number, size: number): void {
    const side = (size / 12) * field;
    context.drawImage(this.#sprite(look, size), x - side / 2, y - side / 2, side, side);
  }

  /** The hatch or the dots of a stretch or of a failed attempt. */
  pattern(context: CanvasRenderingContext2D, kind: PatternKind): CanvasPattern | string {
    let pattern = this.#patterns.get(kind);
    if (pattern === undefined) {
      pattern = patternOf(context, this.#paint, kind, this.#ratio);
      this.#patterns.set(kind, pattern);
    }
    return pattern;
  }

  #sprite(look: Look, size: number): ImageBitmap {
    let sizes = this.#drawn.get(look);
    if (sizes === undefined) {
      sizes = new Map();
      this.#drawn.set(look, sizes);
    }
    let sprite = sizes.get(size);
    if (sprite === undefined) {
      sprite = this.#drawSprite(look, size).transferToImageBitmap();
      sizes.set(size, sprite);
    }
    return sprite;
  }

  #drawSprite(look: Look, size: number): OffscreenCanvas {
    const scale = (size / 12) * this.#ratio;
    const canvas = new OffscreenCanvas(Math.ceil(field * scale), Math.ceil(field * scale));
    const context = canvas.getContext('2d');
    if (context === null) return canvas;
    context.scale(canvas.width / field, canvas.height / field);
    context.translate(margin, margin);
    // A background around the body separates it from the line and from stretches behind it.
    if (ran(look)) {
      context.fillStyle = this.#paint.colour.surface;
      context.fill(new Path2D('M-1.300 6a7.300 7.300 0 1 0 14.600 0a7.300 7.300 0 1 0-14.600 0z'));
    }
    const colour = this.#paint.family(familyOf(look));
    for (const shape of markShapes[look]) drawShape(context, shape, colour, this.#paint.colour.surface);
    return canvas;
  }
}

function drawShape(
  context: OffscreenCanvasRenderingContext2D,
  { d, fill, line, cut, dash }: Shape,
  colour: string,
  paper: string,
): void {
  const path = new Path2D(d);
  if (fill !== undefined) {
    context.fillStyle = fill === 'body' ? colour : paper;
    context.fill(path);
  }
  const width = cut ?? line;
  if (width === undefined) return;
  context.lineWidth = width;
  context.strokeStyle = cut === undefined ? colour : paper;
  context.lineCap = dash === undefined ? 'round' : 'butt';
  context.lineJoin = 'round';
  context.setLineDash([...(dash ?? [])]);
  context.stroke(path);
}

type PatternKind = 'pause' | 'outage' | 'excluded' | 'failed';

function patternOf(
  context: CanvasRenderingContext2D,
  paint: Paint,
  kind: PatternKind,
  ratio: number,
): CanvasPattern | string {
  const size = kind === 'outage' ? 5 : kind === 'failed' ? 5 : 10;
  const canvas = new OffscreenCanvas(Math.round(size * ratio), Math.round(size * ratio));
  const tile = canvas.getContext('2d');
  if (tile === null) return paint.colour.sunken;
  tile.scale(canvas.width / size, canvas.height / size);
  const { colour } = paint;
  if (kind === 'outage') {
    tile.fillStyle = colour.text;
    tile.globalAlpha = 0.055;
    tile.fillRect(0, 0, size, size);
    tile.globalAlpha = 0.34;
    tile.beginPath();
    tile.arc(1.4, 1.4, 0.8, 0, 7);
    tile.fill();
  } else {
    tile.strokeStyle = kind === 'pause' ? colour.person : kind === 'failed' ? colour.fail : colour.spec;
    tile.fillStyle = tile.strokeStyle;
    tile.globalAlpha = kind === 'pause' ? 0.06 : kind === 'failed' ? 0.22 : 0;
    tile.fillRect(0, 0, size, size);
    tile.globalAlpha = kind === 'failed' ? 1 : 0.32;
    tile.lineWidth = kind === 'failed' ? 1.8 : 1.5;
    tile.beginPath();
    // Two strokes per tile, so that the lines meet at its edges.
    const rising = kind !== 'excluded';
    for (const shift of [-size, 0, size]) {
      tile.moveTo(shift, rising ? size : 0);
      tile.lineTo(shift + size, rising ? 0 : size);
    }
    tile.stroke();
  }
  const pattern = context.createPattern(canvas as unknown as CanvasImageSource, 'repeat');
  if (pattern === null) return colour.sunken;
  pattern.setTransform(new DOMMatrix().scale(1 / ratio));
  return pattern;
}
