/** A map of load: rows by hours in five steps, with numbers in the upper two and rings around the few peaks. */
import { useEffect, useReducer, useRef, useState } from 'react';
import { Go } from '../parts/Go.tsx';
import { Tip } from '../parts/Tip.tsx';
import { countText, plural } from '../time/text.ts';
import type { Heat } from './heat.ts';
import { stepOfLoad } from './heat.ts';

const shares = [6, 16, 32, 56, 100];

const groundOf = (step: number) => `color-mix(in srgb, var(--busy) ${shares[step]}%, var(--sunken))`;
const two = (value: number) => String(value).padStart(2, '0');

export interface HeatRow {
  readonly name: string;
  /** The text before the hour, for sight and screen readers: `Mon` of Mon 02:00. */
  readonly timeOf: (hour: number) => string;
  /** The address behind its name. */
  readonly to?: string;
}

interface HeatTableProps {
  readonly label: string;
  readonly heat: Heat;
  readonly rows: readonly HeatRow[];
  /** The cells with a ring, each as `row hour`. */
  readonly rings: ReadonlySet<string>;
}

/** The count of a cell is told under the pointer, by a tap, and with the focus, which the arrow keys move. */
export function HeatTable({ label, heat, rows, rings }: HeatTableProps) {
  /** The one cell that Tab reaches, as `row hour`. */
  const [home, setHome] = useState('0 0');
  const [told, setTold] = useState<{ readonly cell: Element; readonly text: string }>();
  const body = useRef<HTMLTableSectionElement>(null);
  useRedrawOnScroll(told !== undefined);
  const box = told?.cell.getBoundingClientRect();
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its cells are reached with arrow keys, as those of a grid are */}
      <table className="heat" role="grid" aria-label={label} aria-readonly="true">
        <thead>
          <tr>
            <td />
            {Array.from({ length: 24 }, (_, hour) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the hour is the index
              <th key={hour} scope="col">
                {hour % 3 === 0 ? two(hour) : <span className="sr">{two(hour)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setTold(undefined);
            const next = nextCell(event.key, home, rows.length);
            const cell = next === undefined ? null : body.current?.querySelector(`[data-cell="${next}"]`);
            if (!(cell instanceof HTMLElement) || event.target === cell) return;
            event.preventDefault();
            cell.focus();
          }}
        >
          {rows.map(({ name, timeOf, to }, row) => (
            <tr key={name}>
              <th scope="row">{to === undefined ? name : <Go to={to}>{name}</Go>}</th>
              {heat.cells[row]?.map(({ most, starts }, hour) => {
                const step = stepOfLoad(most, heat.most, heat.least);
                const place = `${row} ${hour}`;
                const isRinged = rings.has(place);
                const text = `${timeOf(hour)}: ${countText(most)} at once, ${plural(starts, 'start')}${isRinged ? ', a peak' : ''}`;
                const tell = ({ currentTarget: cell }: { readonly currentTarget: Element }) =>
                  setTold({ cell, text });
                const hide = () => setTold(undefined);
                return (
                  <td
                    key={place}
                    className={`${step === 4 ? 'high' : ''} ${isRinged ? 'peak' : ''}`}
                    style={{ background: groundOf(step) }}
                    tabIndex={place === home ? 0 : -1}
                    data-cell={place}
                    aria-label={text}
                    onFocus={(event) => {
                      setHome(place);
                      tell(event);
                    }}
                    onBlur={hide}
                    onPointerUp={tell}
                    onPointerEnter={(event) => event.pointerType === 'mouse' && tell(event)}
                    onPointerLeave={(event) => event.pointerType === 'mouse' && hide()}
                  >
                    {step >= 3 ? countText(most) : <span className="sr">{most}</span>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {told !== undefined && box !== undefined && (
        <Tip x={box.x + box.width / 2} y={box.y + box.height / 2}>
          {told.text}
        </Tip>
      )}
    </>
  );
}

/** The cell that a key leads to, as `row hour`; undefined for other keys and at the edges. */
function nextCell(key: string, from: string, rows: number): string | undefined {
  const step = steps[key];
  const [row = 0, hour = 0] = from.split(' ').map(Number);
  if (step === undefined) return undefined;
  const [down, right] = step;
  const to = [row + down, Math.min(23, Math.max(0, hour + right))] as const;
  return to[0] < 0 || to[0] >= rows ? undefined : to.join(' ');
}

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -23],
  End: [0, 23],
};

/** What is placed by the position of an element follows it. */
function useRedrawOnScroll(isShown: boolean): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isShown) return;
    document.addEventListener('scroll', redraw, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', redraw, { capture: true });
  }, [isShown]);
}

export function HeatLegend() {
  return (
    <span className="heat-legend micro wide-only flex items-center gap-1" aria-hidden="true">
      few
      {shares.map((share, step) => (
        <i key={share} className="h-2.5 w-4 rounded-[2px]" style={{ background: groundOf(step) }} />
      ))}
      many
    </span>
  );
}
