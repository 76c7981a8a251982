/** A floating note beside the pointer. It repeats what can also be reached by focus or click. */
import type { ReactNode } from 'react';
import { useLayoutEffect, useRef } from 'react';
import { tipPlace } from './tip-place.ts';

interface TipProps {
  readonly x: number;
  readonly y: number;
  /** The note covers nothing above this height. */
  readonly top?: number;
  readonly children: ReactNode;
}

export function Tip({ x, y, top = 0, children }: TipProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    const place = tipPlace({ x, y, width, height }, { top, screenWidth: innerWidth });
    element.style.left = `${place.left}px`;
    element.style.top = `${place.top}px`;
  });
  return (
    <div ref={ref} className="tip" aria-hidden="true">
      {children}
    </div>
  );
}
