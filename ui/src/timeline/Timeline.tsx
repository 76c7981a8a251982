/**
 * The slot timeline: one canvas, which is drawn again only when something has moved, and an overlay for elements that the
 * keyboard or a screen reader must reach. It owns no data: the motion of the view, the data and the selection are props.
 */
import type { KeyboardEvent, PointerEvent } from 'react';
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Tip } from '../parts/Tip.tsx';
import { lazyPart } from '../route/lazy-part.tsx';
import { clockText, dayText } from '../time/text.ts';
import { dayMs, minuteMs, secondMs } from '../time/zone.ts';
import { pxPerSlot } from './draw.ts';
import type { Hit } from './hit.ts';
import { hitAt } from './hit.ts';
import type { TimelineData } from './model.ts';
import type { Motion } from './motion.ts';
import { Overlay } from './Overlay.tsx';
import { axisY, gutterFrom, gutterWidth } from './rows.ts';
import { useDrawing } from './use-drawing.ts';
import type { Plot, View } from './view.ts';
import { panned, shortestOf, timeAt, xOf, zoomed } from './view.ts';
import type { Stop } from './walk.ts';
import { nextStop, viewOfBin } from './walk.ts';

/** The selected mark, or the time of an open drawer without a mark. */
export type Chosen = Stop | { readonly kind: 'time'; readonly at: number; readonly byHand?: undefined };

const TipText = lazyPart(async () => (await import('./TipText.tsx')).TipText);
const Spoken = lazyPart(async () => (await import('./TipText.tsx')).Spoken);

export interface TimelineProps {
  readonly name: string;
  readonly data: TimelineData;
  readonly motion: Motion;
  readonly now: number;
  readonly isOffline: boolean;
  readonly selected: Chosen | undefined;
  /** What the keys have selected, which screen readers are told. */
  readonly spoken: Stop | undefined;
  readonly onWidth: (width: number) => void;
  readonly onNow: () => void;
  /** Moves the focus ring. */
  readonly onSelect: (stop: Stop) => void;
  /** Goes to the nearest slot that did not run, at any distance. */
  readonly onTrouble: (isLater: boolean) => void;
  readonly onExplain: (at: number, byHand?: string) => void;
  readonly onClose: () => void;
}

export function Timeline(props: TimelineProps) {
  const { data, motion, now, isOffline, selected } = props;
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const full = useWidth(root, props.onWidth);
  const gutter = full > gutterFrom ? gutterWidth : 0;
  const width = Math.max(1, full - gutter);
  const drawn = useDrawing(root, canvas, { data, motion, width, gutter, now, isOffline });
  const [hover, setHover] = useState<{
    readonly x: number;
    readonly y: number;
    readonly hit: Hit | undefined;
  }>();
  const place = useCallback(
    (event: { readonly clientX: number; readonly clientY: number }) => {
      const box = root.current?.getBoundingClientRect();
      return { x: event.clientX - (box?.left ?? 0) - gutter, y: event.clientY - (box?.top ?? 0) };
    },
    [gutter],
  );
  const hitOf = (event: { readonly clientX: number; readonly clientY: number }) => {
    const { x, y } = place(event);
    const { plot, packed } = drawn.current;
    return hitAt({ data, plot, packed, pxPerSlot: pxPerSlot({ plot, data }) }, x, y);
  };
  const pointers = usePointers({
    motion,
    width,
    place,
    least: shortestOf(data.step),
    onTap: (event) => {
      const hit = hitOf(event);
      if (hit?.kind === 'slot') props.onExplain(hit.slot.at, hit.slot.byHand);
      else if (hit?.kind === 'bin') motion.move(viewOfBin(hit.bin));
      else if (hit?.kind === 'time') props.onExplain(roundTime(hit.at, drawn.current.plot));
    },
  });
  useWheel(root, { motion, width, place, least: shortestOf(data.step) });
  // Marks move away from under the pointer; its next move finds the mark below it again.
  useEffect(() => motion.onFrame(() => setHover(undefined)), [motion]);
  const onMove = (event: PointerEvent) => {
    pointers.onPointerMove(event);
    if (motion.isMoving) return;
    if (event.pointerType === 'touch' || pointers.isDragging()) setHover(undefined);
    else setHover({ x: event.clientX, y: event.clientY, hit: hitOf(event) });
  };
  return (
    <div
      ref={root}
      className="timeline"
      tabIndex={0}
      role="application"
      aria-roledescription="timeline"
      aria-label={`Slots of ${props.name} over time. Arrow keys move from slot to slot, brackets jump to slots that did not run, plus and minus zoom, n goes to now, Enter explains.`}
      onKeyDown={(event) => onKey(event, props, { ...motion.view, width })}
      onPointerDown={pointers.onPointerDown}
      onPointerMove={onMove}
      onPointerUp={pointers.onPointerUp}
      onPointerCancel={pointers.onPointerCancel}
      onPointerLeave={() => setHover(undefined)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <Overlay {...{ motion, width, gutter, data, now, isOffline, selected }}>
        {hover !== undefined && (
          <Cursor hover={hover} plot={drawn.current.plot} zone={data.zone} place={place} />
        )}
      </Overlay>
      <span className="sr" aria-live="polite">
        {props.spoken !== undefined && (
          <Suspense>
            <Spoken stop={props.spoken} data={data} now={now} />
          </Suspense>
        )}
      </span>
      {hover?.hit !== undefined && hover.hit.kind !== 'time' && (
        <Tip x={hover.x} y={hover.y} top={(root.current?.getBoundingClientRect().top ?? 0) + axisY}>
          <Suspense>
            <TipText hit={hover.hit} data={data} now={now} />
          </Suspense>
        </Tip>
      )}
    </div>
  );
}

type Place = (event: { clientX: number; clientY: number }) => { readonly x: number };

interface CursorProps {
  readonly hover: { readonly x: number; readonly y: number };
  readonly plot: Plot;
  readonly zone: string;
  readonly place: Place;
}

/** A thin line at the pointer, with its time in the row of times. */
function Cursor({ hover, plot, zone, place }: CursorProps) {
  const { x } = place({ clientX: hover.x, clientY: hover.y });
  if (x < 0) return null;
  const at = roundTime(timeAt(plot, x), plot);
  const isLong = plot.to - plot.from > 4 * dayMs;
  return (
    <>
      <span className="tl-hair" style={{ left: x, top: axisY, bottom: 0 }} />
      <span className="tl-time" style={{ left: x, top: axisY - 21 }}>
        {isLong ? `${dayText(zone, at)} ` : ''}
        {clockText(zone, at)}
      </span>
    </>
  );
}

/** Rounds the time at the pointer to whole minutes, or to whole seconds when a pixel is shorter than a second. */
function roundTime(at: number, { from, to, width }: Plot): number {
  const unit = (to - from) / width < secondMs ? secondMs : minuteMs;
  return Math.round(at / unit) * unit;
}

function onKey(event: KeyboardEvent, props: TimelineProps, plot: Plot): void {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const { data, motion, selected, now } = props;
  const here = selected?.at ?? now;
  const step = (isLater: boolean) => {
    const stop = nextStop(data, { here, isLater });
    if (stop !== undefined) props.onSelect(stop);
  };
  const zoom = (factor: number) =>
    motion.move(zoomed(plot, factor, anchor(plot, here), shortestOf(data.step)));
  const quarter = (plot.to - plot.from) / 4;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => (event.shiftKey ? motion.move(panned(plot, quarter)) : step(true)),
    ArrowLeft: () => (event.shiftKey ? motion.move(panned(plot, -quarter)) : step(false)),
    ']': () => props.onTrouble(true),
    '[': () => props.onTrouble(false),
    '+': () => zoom(0.7),
    '=': () => zoom(0.7),
    '-': () => zoom(1 / 0.7),
    n: props.onNow,
    Enter: () => {
      if (selected?.kind === 'bin') motion.move(viewOfBin(selected.bin));
      else if (selected !== undefined) props.onExplain(selected.at, selected.byHand);
    },
    Escape: props.onClose,
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

function anchor(plot: Plot, at: number): number {
  const x = xOf(plot, at);
  return x < 0 || x > plot.width ? plot.width / 2 : x;
}

function useWidth(root: React.RefObject<HTMLDivElement | null>, onWidth: (width: number) => void): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const measure = () => {
      const next = element.clientWidth;
      // The timeline has no layout at the moment: its content stays, and nothing is fetched.
      if (next === 0) return;
      setWidth(next);
      onWidth(next > gutterFrom ? next - gutterWidth : next);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [root, onWidth]);
  return width;
}

interface Moving {
  readonly motion: Motion;
  readonly width: number;
  readonly place: Place;
  /** The shortest span of a view. */
  readonly least: number;
}

/** Handles pointers: one pans, two zoom, a short touch is a tap. Vertical moves scroll the page. */
function usePointers({
  motion,
  width,
  place,
  least,
  onTap,
}: Moving & { readonly onTap: (event: PointerEvent) => void }) {
  const down = useRef(new Map<number, number>());
  const drag = useRef<{ readonly x: number; readonly view: View; moved: boolean } | undefined>(undefined);
  const end = (event: PointerEvent) => {
    down.current.delete(event.pointerId);
    drag.current = undefined;
  };
  return {
    isDragging: () => drag.current?.moved === true,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      down.current.set(event.pointerId, event.clientX);
      drag.current = { x: event.clientX, view: motion.view, moved: down.current.size > 1 };
    },
    onPointerMove: (event: PointerEvent) => {
      if (!down.current.has(event.pointerId)) return;
      const before = [...down.current.values()];
      down.current.set(event.pointerId, event.clientX);
      const after = [...down.current.values()];
      if (after.length === 2) {
        const was = Math.abs((before[0] ?? 0) - (before[1] ?? 0));
        const is = Math.abs((after[0] ?? 0) - (after[1] ?? 0));
        const middle = place({ clientX: ((after[0] ?? 0) + (after[1] ?? 0)) / 2, clientY: 0 }).x;
        if (was > 8 && is > 8) motion.move(zoomed({ ...motion.view, width }, was / is, middle, least));
        return;
      }
      const { current } = drag;
      if (current === undefined) return;
      const distance = event.clientX - current.x;
      if (!current.moved && Math.abs(distance) > 4) {
        current.moved = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      if (!current.moved) return;
      const { from, to } = current.view;
      motion.move(panned(current.view, (-distance / width) * (to - from)));
    },
    onPointerUp: (event: PointerEvent) => {
      const isTap = drag.current !== undefined && !drag.current.moved;
      end(event);
      if (isTap) onTap(event);
    },
    onPointerCancel: end,
  };
}

/** Handles the wheel: sideways and with Shift it pans; with Ctrl, ⌘ or in focus it zooms at the pointer; otherwise the page scrolls. */
function useWheel(root: React.RefObject<HTMLDivElement | null>, moving: Moving): void {
  const latest = useRef(moving);
  latest.current = moving;
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const { motion, width, place, least } = latest.current;
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      const isZoom = event.ctrlKey || event.metaKey || document.activeElement === element;
      if (!isSideways && !isZoom) return;
      event.preventDefault();
      const { view } = motion;
      if (isSideways && !event.ctrlKey) {
        const by = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
        motion.move(panned(view, (by / width) * (view.to - view.from)));
      } else {
        const x = Math.max(0, place(event).x);
        motion.move(zoomed({ ...view, width }, Math.exp(event.deltaY * 0.002), x, least));
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [root]);
}
