/**
 * The slot timeline: one canvas, redrawn only when something moved, and an overlay for what must be reachable or read by
 * other means than sight. It owns no data: the view, the data and the choice are handed in.
 */
import type { KeyboardEvent, PointerEvent } from 'react';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTheme } from '../app/theme.ts';
import { Tip } from '../parts/Tip.tsx';
import { clockText, dayText } from '../time/text.ts';
import { dayMs } from '../time/zone.ts';
import { wantsLook } from '../verdict/verdict.ts';
import type { Scene } from './draw.ts';
import { drawTimeline, pxPerSlot } from './draw.ts';
import type { Hit } from './hit.ts';
import { hitAt } from './hit.ts';
import { packed as pack } from './lanes.ts';
import type { Slot, TimelineData } from './model.ts';
import { readPaint } from './paint.ts';
import { pennantsOf } from './pennants.ts';
import { axisY, changesY, gutterFrom, gutterWidth, handLift, rowsOf, slotsY } from './rows.ts';
import { Sprites } from './sprites.ts';
import { TipText } from './TipText.tsx';
import type { Plot, View } from './view.ts';
import { panned, timeAt, xOf, zoomed } from './view.ts';

export interface TimelineProps {
  readonly name: string;
  readonly data: TimelineData;
  readonly view: View;
  readonly now: number;
  readonly isOffline: boolean;
  readonly selected: { readonly at: number; readonly byHand?: string | undefined } | undefined;
  /** A sentence about the selected slot, for those who listen. */
  readonly spoken: string;
  readonly onWidth: (width: number) => void;
  readonly onView: (view: View) => void;
  readonly onNow: () => void;
  /** Moves the focus ring. */
  readonly onSelect: (slot: Slot) => void;
  readonly onExplain: (at: number, byHand?: string) => void;
  readonly onClose: () => void;
}

export function Timeline(props: TimelineProps) {
  const { data, view, now, isOffline, selected } = props;
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const full = useWidth(root, props.onWidth);
  const gutter = full > gutterFrom ? gutterWidth : 0;
  const plot: Plot = useMemo(() => ({ ...view, width: Math.max(1, full - gutter) }), [view, full, gutter]);
  const packed = useMemo(
    () => (data.bins === null ? pack(data.slots, plot, now) : { bars: [], lanes: 3, crowded: [] }),
    [data, plot, now],
  );
  const rows = rowsOf(packed.crowded.length > 0 ? 4 : packed.lanes);
  useDrawing(canvas, { plot, gutter, rows, data, packed, now, isOffline });
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
    return hitAt({ data, plot, packed, pxPerSlot: pxPerSlot({ plot, data }) }, x, y);
  };
  const pointers = usePointers({
    plot,
    place,
    onView: props.onView,
    onTap: (event) => {
      const hit = hitOf(event);
      if (hit?.kind === 'slot') props.onExplain(hit.slot.at, hit.slot.byHand);
      else if (hit?.kind === 'bin') {
        const margin = (hit.bin.to - hit.bin.from) * 0.2;
        props.onView({ from: hit.bin.from - margin, to: hit.bin.to + margin });
      } else if (hit?.kind === 'time') props.onExplain(Math.round(hit.at / 60_000) * 60_000);
    },
  });
  useWheel(root, plot, place, props.onView);
  const onMove = (event: PointerEvent) => {
    pointers.onPointerMove(event);
    if (event.pointerType === 'touch' || pointers.isDragging()) setHover(undefined);
    else setHover({ x: event.clientX, y: event.clientY, hit: hitOf(event) });
  };
  const chosen = selected === undefined ? undefined : xOf(plot, selected.at);
  const nowX = xOf(plot, now);
  return (
    <div
      ref={root}
      className="timeline"
      tabIndex={0}
      role="application"
      aria-roledescription="timeline"
      aria-label={`Slots of ${props.name} over time. Arrow keys move from slot to slot, brackets jump to slots that did not run, plus and minus zoom, n goes to now, Enter explains.`}
      style={{ height: rows.height }}
      onKeyDown={(event) => onKey(event, props, plot)}
      onPointerDown={pointers.onPointerDown}
      onPointerMove={onMove}
      onPointerUp={pointers.onPointerUp}
      onPointerCancel={pointers.onPointerCancel}
      onPointerLeave={() => setHover(undefined)}
    >
      <canvas ref={canvas} aria-hidden="true" />
      <div className="tl-over" style={{ left: gutter }}>
        {nowX > -20 && nowX < plot.width + 20 && (
          <span className="tl-now" style={{ left: nowX, top: axisY - 21 }}>
            {isOffline ? '' : 'now '}
            {clockText(data.zone, Math.floor(now / 60_000) * 60_000)}
          </span>
        )}
        {pennantsOf(data.changes, plot).map((pennant) => (
          <span
            key={`${pennant.x} ${pennant.label}`}
            className={`tl-pennant ${pennant.changes.every(({ kind }) => kind === 'edit' || kind === 'created') ? 'edit' : ''}`}
            style={{ left: pennant.x, top: changesY - 9 }}
            title={pennant.changes.map(({ text }) => text).join('\n')}
          >
            <svg width={pennant.width} height="17" aria-hidden="true">
              <path d={`M.5 .5h${pennant.width - 6}l5 8-5 8H.5z`} />
            </svg>
            <b>{pennant.label}</b>
          </span>
        ))}
        {chosen !== undefined && chosen > -20 && chosen < plot.width + 20 && (
          <span
            className="tl-ring"
            style={{ left: chosen, top: slotsY - (selected?.byHand === undefined ? 0 : handLift) }}
          />
        )}
        {hover !== undefined && (
          <Cursor hover={hover} plot={plot} zone={data.zone} place={place} height={rows.height} />
        )}
      </div>
      <span className="sr" aria-live="polite">
        {props.spoken}
      </span>
      {hover?.hit !== undefined && hover.hit.kind !== 'time' && (
        <Tip x={hover.x} y={hover.y}>
          <TipText hit={hover.hit} data={data} now={now} />
        </Tip>
      )}
    </div>
  );
}

interface CursorProps {
  readonly hover: { readonly x: number; readonly y: number };
  readonly plot: Plot;
  readonly zone: string;
  readonly place: (event: { clientX: number; clientY: number }) => { readonly x: number };
  readonly height: number;
}

/** A hair-line under the pointer, with its time in the row of time. */
function Cursor({ hover, plot, zone, place, height }: CursorProps) {
  const { x } = place({ clientX: hover.x, clientY: hover.y });
  if (x < 0) return null;
  const at = Math.round(timeAt(plot, x) / 60_000) * 60_000;
  const isLong = plot.to - plot.from > 4 * dayMs;
  return (
    <>
      <span className="tl-hair" style={{ left: x, top: axisY, height: height - axisY }} />
      <span className="tl-time" style={{ left: x, top: axisY - 21 }}>
        {isLong ? `${dayText(zone, at)} ` : ''}
        {clockText(zone, at)}
      </span>
    </>
  );
}

function onKey(event: KeyboardEvent, props: TimelineProps, plot: Plot): void {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const { data, selected, now } = props;
  const { slots } = data;
  const here = selected?.at ?? now;
  const later = (test: (slot: Slot) => boolean = () => true) =>
    slots.find((slot) => slot.at > here && test(slot));
  const earlier = (test: (slot: Slot) => boolean = () => true) =>
    slots.findLast((slot) => slot.at < here && test(slot));
  const step = (slot: Slot | undefined) => slot !== undefined && props.onSelect(slot);
  const quarter = (plot.to - plot.from) / 4;
  const actions: Readonly<Record<string, () => void>> = {
    ArrowRight: () => (event.shiftKey ? props.onView(panned(plot, quarter)) : step(later())),
    ArrowLeft: () => (event.shiftKey ? props.onView(panned(plot, -quarter)) : step(earlier())),
    ']': () => step(later((slot) => slot.at <= now && wantsLook(slot.look))),
    '[': () => step(earlier((slot) => slot.at <= now && wantsLook(slot.look))),
    '+': () => props.onView(zoomed(plot, 0.7, anchor(plot, here))),
    '=': () => props.onView(zoomed(plot, 0.7, anchor(plot, here))),
    '-': () => props.onView(zoomed(plot, 1 / 0.7, anchor(plot, here))),
    n: props.onNow,
    Enter: () => selected !== undefined && props.onExplain(selected.at, selected.byHand),
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

const breathMs = 2400;
const still = matchMedia('(prefers-reduced-motion: reduce)');

type Drawn = Omit<Scene, 'context' | 'paint' | 'sprites' | 'ratio' | 'breath'>;

/** Draws after every change; while a run goes on within the view, ten times a second. */
function useDrawing(canvas: React.RefObject<HTMLCanvasElement | null>, drawn: Drawn): void {
  const theme = useTheme();
  const ratio = Math.min(3, devicePixelRatio || 1);
  const tools = useMemo(() => {
    const paint = readPaint(theme);
    return { paint, sprites: new Sprites(paint, ratio) };
  }, [theme, ratio]);
  const latest = useRef(drawn);
  latest.current = drawn;
  const draw = useCallback(
    (breath: number) => {
      const element = canvas.current;
      const context = element?.getContext('2d');
      if (element === null || context === null || context === undefined) return;
      const { plot, gutter, rows } = latest.current;
      const width = Math.round((gutter + plot.width) * ratio);
      const height = Math.round(rows.height * ratio);
      if (element.width !== width || element.height !== height) {
        element.width = width;
        element.height = height;
        element.style.width = `${gutter + plot.width}px`;
        element.style.height = `${rows.height}px`;
      }
      performance.mark('timeline-draw-begin');
      drawTimeline({ ...latest.current, context, ...tools, ratio, breath });
      performance.measure('timeline-draw', 'timeline-draw-begin');
      performance.clearMarks('timeline-draw-begin');
    },
    [canvas, ratio, tools],
  );
  useLayoutEffect(() => draw(1));
  const isBreathing = drawn.packed.bars.some(({ slot }) => slot.look === 'running');
  useEffect(() => {
    if (!isBreathing || still.matches) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      draw(0.5 + 0.5 * Math.cos((performance.now() / breathMs) * 2 * Math.PI));
    }, 100);
    return () => clearInterval(timer);
  }, [isBreathing, draw]);
}

interface PointersOptions {
  readonly plot: Plot;
  readonly place: (event: { clientX: number; clientY: number }) => { readonly x: number };
  readonly onView: (view: View) => void;
  readonly onTap: (event: PointerEvent) => void;
}

/** One pointer pans, two zoom, a short touch is a tap. Vertical moves scroll the page. */
function usePointers({ plot, place, onView, onTap }: PointersOptions) {
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
      drag.current = {
        x: event.clientX,
        view: { from: plot.from, to: plot.to },
        moved: down.current.size > 1,
      };
    },
    onPointerMove: (event: PointerEvent) => {
      if (!down.current.has(event.pointerId)) return;
      const before = [...down.current.values()];
      down.current.set(event.pointerId, event.clientX);
      const after = [...down.current.values()];
      if (after.length === 2) {
        const was = Math.abs((before[0] ?? 0) - (before[1] ?? 0));
        const is = Math.abs((after[0] ?? 0) - (after[1] ?? 0));
        const middle = ((after[0] ?? 0) + (after[1] ?? 0)) / 2;
        if (was > 8 && is > 8) onView(zoomed(plot, was / is, place({ clientX: middle, clientY: 0 }).x));
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
      onView(panned(current.view, (-distance / plot.width) * (to - from)));
    },
    onPointerUp: (event: PointerEvent) => {
      const isTap = drag.current !== undefined && !drag.current.moved;
      end(event);
      if (isTap) onTap(event);
    },
    onPointerCancel: end,
  };
}

/** Sideways and with Shift the wheel pans; with Ctrl, ⌘ or in focus it zooms at the pointer; otherwise the page scrolls. */
function useWheel(
  root: React.RefObject<HTMLDivElement | null>,
  plot: Plot,
  place: PointersOptions['place'],
  onView: (view: View) => void,
): void {
  const latest = useRef({ plot, place, onView });
  latest.current = { plot, place, onView };
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const { plot: now, place: at, onView: show } = latest.current;
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      const isZoom = event.ctrlKey || event.metaKey || document.activeElement === element;
      if (!isSideways && !isZoom) return;
      event.preventDefault();
      if (isSideways && !event.ctrlKey) {
        const by = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
        show(panned(now, (by / now.width) * (now.to - now.from)));
      } else show(zoomed(now, Math.exp(event.deltaY * 0.002), Math.max(0, at(event).x)));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [root]);
}
