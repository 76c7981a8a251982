/** A map of the whole ledger, up to ninety-two days back, and of a part of the future, with the window that the timeline shows. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Scope } from '../data/api.ts';
import { binsQuery } from '../schedule/queries.ts';
import { stackOf, strengthOf, totalOf } from './bins.ts';
import { font, line } from './draw.ts';
import { binsOf } from './from-answers.ts';
import { miniBin, miniRange, miniTicks } from './mini.ts';
import type { Bin } from './model.ts';
import type { Motion } from './motion.ts';
import type { Paint } from './paint.ts';
import { usePaint } from './paint.ts';
import type { Plot, View } from './view.ts';
import { panned, timeAt, xOf } from './view.ts';

interface MinimapProps {
  readonly scope: Scope;
  readonly id: string;
  readonly zone: string;
  readonly createdAt: number;
  readonly motion: Motion;
  readonly now: number;
}

const height = 46;
/** Slots that ran are drawn above this line, the others below it; the dates are at the bottom. */
const lineY = 22;

export function Minimap({ scope, id, zone, createdAt, motion, now }: MinimapProps) {
  const range = miniRange(now, createdAt);
  const answer = useQuery(binsQuery(scope, id, range, miniBin(range))).data;
  const bins = useMemo(() => (answer === undefined ? [] : binsOf(answer)), [answer]);
  const paint = usePaint();
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { from, to } = range;
  useLayoutEffect(() => {
    if (canvas.current !== null && width > 0)
      drawMini(canvas.current, { from, to }, width, bins, paint, zone, now);
  }, [from, to, width, bins, paint, zone, now]);
  const shown = useRef<HTMLSpanElement>(null);
  const plot = { from, to, width: Math.max(1, width) };
  const latest = useRef(plot);
  latest.current = plot;
  const place = useCallback(() => placeWindow(shown.current, latest.current, motion.view), [motion]);
  useLayoutEffect(place);
  useEffect(() => motion.onFrame(place), [motion, place]);
  const drag = useRef(false);
  const move = (clientX: number) => {
    const box = root.current?.getBoundingClientRect();
    const { view } = motion;
    motion.move(panned(view, timeAt(plot, clientX - (box?.left ?? 0)) - (view.from + view.to) / 2));
  };
  return (
    <div
      ref={root}
      className="tl-mini"
      aria-hidden="true"
      onPointerDown={(event) => {
        drag.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        move(event.clientX);
      }}
      onPointerMove={(event) => drag.current && move(event.clientX)}
      onPointerUp={() => {
        drag.current = false;
      }}
    >
      <canvas ref={canvas} />
      <span ref={shown} className="tl-window" />
    </div>
  );
}

function placeWindow(element: HTMLSpanElement | null, plot: Plot, view: View): void {
  if (element === null) return;
  const left = Math.max(0, Math.min(plot.width - 8, xOf(plot, view.from)));
  const right = Math.max(left + 8, Math.min(plot.width, xOf(plot, view.to)));
  element.style.left = `${left}px`;
  element.style.width = `${right - left}px`;
}

function drawMini(
  canvas: HTMLCanvasElement,
  range: View,
  width: number,
  bins: readonly Bin[],
  paint: Paint,
  zone: string,
  now: number,
): void {
  const ratio = Math.min(3, devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { colour } = paint;
  const plot = { ...range, width };
  context.scale(ratio, ratio);
  const full = Math.max(1, ...bins.map(totalOf));
  for (const bin of bins) {
    const x = xOf(plot, bin.from);
    const wide = Math.max(1, xOf(plot, bin.to) - x - 1);
    const { up, down } = stackOf(bin, { full, up: 14, down: 10 });
    let y = lineY;
    for (const piece of up) {
      y -= piece.height;
      context.globalAlpha = piece.kind === 'ran' || piece.kind === 'late' ? 0.72 : strengthOf(piece);
      context.strokeStyle = colour['line-2'];
      context.fillStyle =
        piece.kind === 'failed' ? colour.fail : piece.kind === 'busy' ? colour.busy : colour['ran-area'];
      if (piece.kind === 'projected') context.strokeRect(x + 0.5, y, Math.max(1, wide - 1), piece.height);
      else context.fillRect(x, y, wide, piece.height);
    }
    context.globalAlpha = 1;
    let foot = lineY + 1.5;
    for (const piece of down) {
      if (piece.kind === 'passed') {
        context.strokeStyle = colour.person;
        context.strokeRect(x + 0.5, foot + 0.5, Math.max(1, wide - 1), piece.height - 1);
      } else {
        context.fillStyle =
          piece.kind === 'lost' ? colour.fail : colour[piece.kind as 'policy' | 'person' | 'spec'];
        context.fillRect(x, foot, wide, piece.height);
      }
      foot += piece.height;
    }
  }
  drawMonths(context, plot, zone, now, paint);
  context.strokeStyle = colour.ink;
  context.lineWidth = 1.2;
  const nowX = xOf(plot, now);
  line(context, [nowX, 2, nowX, height]);
}

function drawMonths(
  context: CanvasRenderingContext2D,
  plot: View & { readonly width: number },
  zone: string,
  now: number,
  paint: Paint,
): void {
  context.font = font(paint, 10);
  context.lineWidth = 1;
  for (const { at, text } of miniTicks(plot, zone)) {
    const x = xOf(plot, at);
    if (Math.abs(x - xOf(plot, now)) < 30 || x < 30 || x > plot.width - 30) continue;
    context.strokeStyle = paint.colour.line;
    line(context, [x, 0, x, height]);
    context.fillStyle = paint.colour['text-3'];
    context.fillText(text, x + 4, height - 4);
  }
}
