/** Elements over the canvas that are read or focused: the label of now, the pennants, the ring around the selected slot. */
import type { ReactNode } from 'react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { clockText } from '../time/text.ts';
import type { TimelineData } from './model.ts';
import type { Motion } from './motion.ts';
import type { Pennant } from './pennants.ts';
import { aboutWide, pennantsOf } from './pennants.ts';
import { axisY, changesY, handLift, slotsY } from './rows.ts';
import type { Chosen } from './Timeline.tsx';
import type { Plot, View } from './view.ts';
import { xOf } from './view.ts';

const labelWidths = new Map<string, number>();
let measure: OffscreenCanvasRenderingContext2D | null | undefined;

/** The label of a pennant in the page's own font, measured once. */
function labelWidth(label: string): number {
  let width = labelWidths.get(label);
  if (width === undefined) {
    measure ??= new OffscreenCanvas(1, 1).getContext('2d');
    if (measure !== null) measure.font = `600 10.5px ${getComputedStyle(document.body).fontFamily}`;
    width = measure?.measureText(label).width ?? aboutWide(label);
    labelWidths.set(label, width);
  }
  return width;
}

interface OverlayProps {
  readonly motion: Motion;
  readonly width: number;
  readonly gutter: number;
  readonly data: TimelineData;
  readonly now: number;
  readonly isOffline: boolean;
  readonly selected: Chosen | undefined;
  readonly children: ReactNode;
}

export function Overlay({ motion, width, gutter, data, now, isOffline, selected, children }: OverlayProps) {
  const root = useRef<HTMLDivElement>(null);
  const pennants = pennantsOf(data.changes, { ...motion.view, width }, labelWidth);
  const [, setGroups] = useState('');
  const latest = useRef({ width, data, groups: '' });
  latest.current = { width, data, groups: groupsOf(pennants) };
  useLayoutEffect(() => place(root.current, { ...motion.view, width }));
  useEffect(
    () =>
      motion.onFrame(() => {
        const { width: wide, data: shown, groups } = latest.current;
        const plot = { ...motion.view, width: wide };
        place(root.current, plot);
        if (shown.changes.length === 0) return;
        const next = groupsOf(pennantsOf(shown.changes, plot, labelWidth));
        if (next !== groups) setGroups(next);
      }),
    [motion],
  );
  return (
    <div ref={root} className="tl-over" style={{ left: gutter }}>
      <span className="tl-now" data-at={now} style={{ top: axisY - 21 }}>
        {isOffline ? '' : 'now '}
        {clockText(data.zone, Math.floor(now / 60_000) * 60_000)}
      </span>
      {pennants.map(({ at, label, width: wide, changes }) => (
        <span
          key={`${at} ${label}`}
          data-at={at}
          className={`tl-pennant ${changes.every(({ kind }) => kind === 'edit' || kind === 'created') ? 'edit' : ''}`}
          style={{ top: changesY - 9 }}
          title={changes.map(({ text }) => text).join('\n')}
        >
          <svg width={wide} height="17" aria-hidden="true">
            <path d={`M.5 .5h${wide - 6}l5 8-5 8H.5z`} />
          </svg>
          <b>{label}</b>
        </span>
      ))}
      {selected !== undefined && (
        <span
          className="tl-ring"
          data-at={selected.at}
          style={
            selected.kind === 'bin'
              ? { top: slotsY + 5, height: 86, width: widthOf(selected.bin, { ...motion.view, width }) }
              : { top: slotsY - (selected.byHand === undefined ? 0 : handLift) }
          }
        />
      )}
      {children}
    </div>
  );
}

/** The width of the ring around a bin. */
function widthOf({ from, to }: View, plot: Plot): number {
  return Math.max(12, xOf(plot, to) - xOf(plot, from) + 5);
}

function groupsOf(pennants: readonly Pennant[]): string {
  return pennants.map(({ at, label }) => `${at} ${label}`).join();
}

/** An element that is further outside the edges than this is not visible. */
const farPx = 120;

function place(root: HTMLDivElement | null, plot: Plot): void {
  for (const element of (root?.children ?? []) as Iterable<HTMLElement>) {
    const { at } = element.dataset;
    if (at === undefined) continue;
    const x = xOf(plot, Number(at));
    const isFar = x < -farPx || x > plot.width + farPx;
    element.hidden = isFar;
    if (!isFar) element.style.left = `${x}px`;
  }
}
