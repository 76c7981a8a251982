import { useLayoutEffect, useRef, useState } from 'react';
import type { Wire } from './wires.ts';
import { curveOf } from './wires.ts';

interface Drawn {
  readonly key: string;
  readonly d: string;
  readonly family: Wire['family'];
  readonly end: { readonly x: number; readonly y: number };
}

/** Where the line meets a box: at the height of its first line of text. */
const depth = 20;

/** Lines between the boxes of a workflow, behind them. Measured after layout, because boxes grow with their texts. */
export function Wires({ wires }: { readonly wires: readonly Wire[] }) {
  const ref = useRef<SVGSVGElement>(null);
  const [drawn, setDrawn] = useState<readonly Drawn[]>([]);
  useLayoutEffect(() => {
    const svg = ref.current;
    const root = svg?.parentElement;
    if (svg == null || root == null) return;
    const measure = () => {
      const origin = root.getBoundingClientRect();
      const boxes = new Map(
        [...root.querySelectorAll<HTMLElement>('[data-box]')].map(
          (box) => [box.dataset.box, box.getBoundingClientRect()] as const,
        ),
      );
      setDrawn(
        wires.flatMap(({ from, to, family }) => {
          const [left, right] = [boxes.get(from), boxes.get(to)];
          // In one column no lines are drawn: the boxes are below each other.
          if (left === undefined || right === undefined || right.left < left.right) return [];
          const begin = { x: left.right - origin.left, y: left.top - origin.top + depth };
          const end = { x: right.left - origin.left - 5, y: right.top - origin.top + depth };
          return [{ key: `${from} ${to}`, d: curveOf(begin, end), family, end }];
        }),
      );
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(root);
    for (const box of root.querySelectorAll('[data-box]')) observer.observe(box);
    return () => observer.disconnect();
  }, [wires]);
  return (
    <svg ref={ref} className="wires" aria-hidden="true">
      {drawn.map(({ key, d, family, end }) => (
        <g key={key} className={family === undefined ? '' : `on f-${family}`}>
          <path d={d} />
          <path className="tip" d={`M${end.x} ${end.y - 3.5}l5 3.5-5 3.5z`} />
        </g>
      ))}
    </svg>
  );
}
