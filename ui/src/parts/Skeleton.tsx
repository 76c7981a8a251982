/** The shape of what comes, after 200 ms; before that nothing, so that fast answers do not flicker. */
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { hasBegun } from '../data/later.ts';

export function AfterAMoment({ children }: { readonly children: ReactNode }) {
  // On the first screen the painted frame has shown the shape already; it must not disappear and come again.
  const [isShown, setShown] = useState(() => !hasBegun() && performance.now() > 200);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? children : null;
}

const widths = [120, 150, 132, 162, 142, 118, 154];

export function SkeletonRows({ rows, height }: { readonly rows: number; readonly height: number }) {
  return (
    <AfterAMoment>
      <div aria-busy="true" role="status" aria-label="Loading">
        {Array.from({ length: rows }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing but their place
            key={row}
            className="flex items-center gap-6 border-b border-line px-4 last:border-0"
            style={{ height }}
          >
            <span className="skel h-2.5" style={{ width: widths[row % widths.length] }} />
            <span className="flex-1" />
            <span className="skel h-3.5 w-40" />
            <span className="skel h-2.5 w-14" />
          </div>
        ))}
      </div>
    </AfterAMoment>
  );
}

export function SkeletonBox({ height }: { readonly height: number }) {
  return (
    <AfterAMoment>
      <div className="skel m-4" style={{ height }} role="status" aria-label="Loading" />
    </AfterAMoment>
  );
}
