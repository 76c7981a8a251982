/** The rows themselves: as many in the document as the window shows, however many there are. */
import { useCallback, useEffect, useRef } from 'react';
import { useSmallScreen } from '../parts/small-screen.ts';
import type { ListedSchedule } from './row.ts';
import { useRowWindow } from './row-window.ts';
import { ScheduleRow } from './ScheduleRow.tsx';
import type { Verb } from './Schedules.tsx';
import type { Selection } from './selection.ts';
import { isChosen } from './selection.ts';

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
  readonly mayChange: boolean;
  readonly isSelecting: boolean;
}

export function Rows(props: RowsProps) {
  const { rows, total, selection, cursor, onEnd, onShown } = props;
  const isSmall = useSmallScreen();
  const rowHeight = isSmall ? 112 : 48;
  const root = useRef<HTMLDivElement>(null);
  // The same functions for as long as the list is shown, so that a row is drawn again only when it has changed.
  const latest = useRef(props);
  latest.current = props;
  const onPick = useCallback((id: string, isRange: boolean) => latest.current.onPick(id, isRange), []);
  const onAsk = useCallback((verb: Verb, id: string) => latest.current.onAsk(verb, id), []);
  const { first, last, reveal } = useRowWindow({ count: rows.length, rowHeight, root });
  useEffect(() => {
    onShown(first, last);
    if (last >= rows.length - 8) onEnd();
  }, [first, last, rows.length, onShown, onEnd]);
  useEffect(() => {
    if (cursor >= 0) reveal(cursor);
  }, [cursor, reveal]);
  const isFull = rows.length > 0 && rows.every(({ id }) => isChosen(selection, id));
  return (
    <div
      className={props.isSelecting ? 'list selecting' : 'list'}
      role="grid"
      aria-label="Schedules"
      aria-rowcount={total}
    >
      <div className="lhead" role="row">
        <span role="columnheader">
          {props.mayChange ? (
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
          ) : (
            <span className="sr">Selection</span>
          )}
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
      <div ref={root} role="presentation" className="relative" style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last + 1).map((row, place) => {
          const index = first + place;
          return (
            <ScheduleRow
              key={row.id}
              schedule={row}
              index={index}
              top={index * rowHeight}
              height={rowHeight}
              isChosen={isChosen(selection, row.id)}
              isHere={index === cursor}
              onPick={onPick}
              onAsk={onAsk}
              mayChange={props.mayChange}
            />
          );
        })}
      </div>
    </div>
  );
}
