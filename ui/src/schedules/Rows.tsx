/** The rows themselves: as many in the document as the window shows, however many there are. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ListedSchedule } from './row.ts';
import { ScheduleRow } from './ScheduleRow.tsx';
import type { Verb } from './Schedules.tsx';
import type { Selection } from './selection.ts';

interface RowsProps {
  readonly rows: readonly ListedSchedule[];
  readonly total: number;
  readonly selection: Selection;
  readonly cursor: number;
  readonly onPick: (id: string, isRange: boolean) => void;
  readonly onPickAll: () => void;
  readonly onEnd: () => void;
  readonly onShown: (first: number, last: number) => void;
  readonly onAsk: (verb: Verb, id: string) => void;
}

const small = matchMedia('(max-width: 860px)');

function useIsSmall(): boolean {
  const [isSmall, setSmall] = useState(small.matches);
  useEffect(() => {
    const onChange = () => setSmall(small.matches);
    small.addEventListener('change', onChange);
    return () => small.removeEventListener('change', onChange);
  }, []);
  return isSmall;
}

export function Rows(props: RowsProps) {
  const { rows, total, selection, cursor, onEnd, onShown } = props;
  const isSmall = useIsSmall();
  const rowHeight = isSmall ? 112 : 48;
  const root = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset(root.current === null ? 0 : root.current.getBoundingClientRect().top + scrollY);
  }, []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: offset,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width has another height
  useEffect(() => virtual.measure(), [isSmall, virtual]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    onShown(first, last);
    if (last >= rows.length - 8) onEnd();
  }, [first, last, rows.length, onShown, onEnd]);
  useEffect(() => {
    if (cursor >= 0) virtual.scrollToIndex(cursor, { align: 'auto' });
  }, [cursor, virtual]);
  const isFull = rows.length > 0 && rows.every(({ id }) => selection.ids.has(id));
  return (
    <div className="list" role="grid" aria-label="Schedules" aria-rowcount={total}>
      <div className="lhead" role="row">
        <span role="columnheader">
          <input
            type="checkbox"
            className="check"
            aria-label="Select all loaded rows"
            checked={isFull}
            ref={(box) => {
              if (box !== null) box.indeterminate = !isFull && selection.ids.size > 0;
            }}
            onChange={props.onPickAll}
          />
        </span>
        {['Schedule', 'When', 'Last 20 slots', 'Next', 'Last slot', 'p95'].map((name) => (
          <span role="columnheader" key={name} className={name === 'p95' ? 'text-right' : ''}>
            {name}
          </span>
        ))}
        <span role="columnheader">
          <span className="sr">Actions</span>
        </span>
      </div>
      <div ref={root} role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <ScheduleRow
              key={row.id}
              schedule={row}
              index={index}
              top={start - offset}
              height={rowHeight}
              isChosen={selection.ids.has(row.id)}
              isHere={index === cursor}
              onPick={props.onPick}
              onAsk={props.onAsk}
            />
          );
        })}
      </div>
    </div>
  );
}
