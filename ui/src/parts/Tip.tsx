/** A floating note beside the pointer. It repeats what can also be reached by focus or click. */
import type { ReactNode } from 'react';
import { useLayoutEffect, useRef } from 'react';

interface TipProps {
  readonly x: number;
  readonly y: number;
  readonly children: ReactNode;
}

export function Tip({ x, y, children }: TipProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, x - width / 2))}px`;
    element.style.top = `${y - height - 12 < 8 ? y + 18 : y - height - 12}px`;
  });
  return (
    <div ref={ref} className="tip" aria-hidden="true">
      {children}
    </div>
  );
}
