/** Chooses the rows of a long list that are in the document: those in the window and some beside them. All have the same height. */
import type { RefObject } from 'react';
import { useCallback, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RowRange } from './rows-within.ts';
import { rowsWithin } from './rows-within.ts';

interface Listed {
  readonly count: number;
  readonly rowHeight: number;
  /** The element that is as high as all rows together. */
  readonly root: RefObject<HTMLElement | null>;
}

export interface RowWindow extends RowRange {
  /** Scrolls as little as it takes to show the row. */
  readonly reveal: (index: number) => void;
}

export function useRowWindow({ count, rowHeight, root }: Listed): RowWindow {
  // The position of the list is known only after the layout; a guess would load rows that are out of sight.
  const [range, setRange] = useState<RowRange>({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const look = () => {
      const top = -(root.current?.getBoundingClientRect().top ?? 0);
      const next = rowsWithin({ top, height: innerHeight, rowHeight, count });
      setRange((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    look();
    // Rendered in the frame that scrolls, so that no gap is visible.
    const onScroll = () => flushSync(look);
    addEventListener('scroll', onScroll, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', onScroll);
      removeEventListener('resize', look);
    };
  }, [count, rowHeight, root]);
  const reveal = useCallback(
    (index: number) => {
      const box = root.current?.getBoundingClientRect();
      if (box === undefined) return;
      const top = box.top + index * rowHeight;
      const beyond = top + rowHeight - innerHeight;
      if (top < 0) scrollBy(0, top);
      else if (beyond > 0) scrollBy(0, beyond);
    },
    [root, rowHeight],
  );
  // Rows that have been removed since the last measurement are left out.
  return { first: range.first, last: Math.min(range.last, count - 1), reveal };
}
