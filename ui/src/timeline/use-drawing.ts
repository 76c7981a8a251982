/** Draws the timeline: after every render, at every frame of a motion, and ten times a second while a run in view has not ended. */
import type { RefObject } from 'react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { Scene } from './draw.ts';
import { drawTimeline } from './draw.ts';
import type { Packed } from './lanes.ts';
import { packed as pack, runsByStart } from './lanes.ts';
import type { Motion } from './motion.ts';
import { usePaint } from './paint.ts';
import { rowsOf } from './rows.ts';
import { Sprites } from './sprites.ts';
import type { Plot } from './view.ts';

const breathMs = 2400;
const still = matchMedia('(prefers-reduced-motion: reduce)');
const noRuns: Packed = { bars: [], lanes: 3, crowded: [] };

/** What is on the canvas. */
export interface Drawn {
  readonly plot: Plot;
  readonly packed: Packed;
}

export type Drawing = Pick<Scene, 'data' | 'gutter' | 'now' | 'isOffline'> & {
  readonly motion: Motion;
  readonly width: number;
};

export function useDrawing(
  root: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  drawing: Drawing,
): RefObject<Drawn> {
  const { data, motion } = drawing;
  const paint = usePaint();
  const ratio = Math.min(3, devicePixelRatio || 1);
  const tools = useMemo(() => ({ paint, sprites: new Sprites(paint, ratio), ratio }), [paint, ratio]);
  const runs = useMemo(() => runsByStart(data.slots), [data]);
  const latest = useRef({ ...drawing, runs });
  latest.current = { ...drawing, runs };
  const drawn = useRef<Drawn>({ plot: { ...motion.view, width: drawing.width }, packed: noRuns });
  const draw = useCallback(
    (breath: number) => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (element === null || context === null || context === undefined) return;
      const { width, runs: all, ...shown } = latest.current;
      const plot = { ...shown.motion.view, width };
      const packed = shown.data.bins === null ? pack(all, plot, shown.now) : noRuns;
      const rows = rowsOf(packed.crowded.length > 0 ? 4 : packed.lanes);
      drawn.current = { plot, packed };
      fit(element, shown.gutter + width, rows.height, ratio);
      if (root.current !== null) root.current.style.height = `${rows.height}px`;
      drawTimeline({ ...shown, ...tools, plot, rows, packed, context, breath });
    },
    [root, canvas, ratio, tools],
  );
  useLayoutEffect(() => draw(1));
  useEffect(() => motion.onFrame(() => draw(1)), [motion, draw]);
  const hasRunning = useMemo(() => runs.some(({ look }) => look === 'running'), [runs]);
  useEffect(() => {
    if (!hasRunning || still.matches) return;
    const timer = setInterval(() => {
      const isInView = drawn.current.packed.bars.some(({ slot }) => slot.look === 'running');
      if (!document.hidden && isInView && !motion.isMoving)
        draw(0.5 + 0.5 * Math.cos((performance.now() / breathMs) * 2 * Math.PI));
    }, 100);
    return () => clearInterval(timer);
  }, [hasRunning, motion, draw]);
  return drawn;
}

/** Sets the size of the canvas if it differs, because even setting the same size clears the canvas and causes a layout. */
function fit(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === wide && canvas.height === high) return;
  canvas.width = wide;
  canvas.height = high;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}
