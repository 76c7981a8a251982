/**
 * After a reload, loads the list until it reaches the previous scroll position, and scrolls there. It gives up when that is too
 * far, or when the person scrolls.
 */
import { useEffect, useRef, useState } from 'react';
import { keptHeight } from '../route/heights.ts';

/** The most rows that are loaded for this; a person has to scroll to later rows. */
const mostRows = 500;

const byHand = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

interface Growing {
  readonly count: number;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
}

export function useKeptScroll({ count, hasMore, loadMore }: Growing): void {
  // Read before the first layout, which may scroll.
  const [height] = useState(keptHeight);
  const isOver = useRef(height === 0);
  useEffect(() => {
    const give = () => {
      isOver.current = true;
    };
    for (const type of byHand) addEventListener(type, give, { passive: true });
    return () => {
      for (const type of byHand) removeEventListener(type, give);
    };
  }, []);
  useEffect(() => {
    if (isOver.current || count === 0) return;
    const reach = document.documentElement.scrollHeight - innerHeight;
    if (reach < height && hasMore && count < mostRows) return loadMore();
    isOver.current = true;
    scrollTo(0, height);
  }, [count, hasMore, loadMore, height]);
}
