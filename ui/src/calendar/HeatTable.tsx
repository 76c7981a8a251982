/** A map of load: rows by hours in five steps, with numbers in the upper two and rings around the few peaks. */
import { Go } from '../parts/Go.tsx';
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

export function HeatTable({ label, heat, rows, rings }: HeatTableProps) {
  return (
    <table className="heat" aria-label={label}>
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
      <tbody>
        {rows.map(({ name, timeOf, to }, row) => (
          <tr key={name}>
            <th scope="row">{to === undefined ? name : <Go to={to}>{name}</Go>}</th>
            {heat.cells[row]?.map(({ most, starts }, hour) => {
              const step = stepOfLoad(most, heat.most, heat.least);
              const isRinged = rings.has(`${row} ${hour}`);
              return (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: the hour is the index
                  key={hour}
                  className={`${step === 4 ? 'high' : ''} ${isRinged ? 'peak' : ''}`}
                  style={{ background: groundOf(step) }}
                  title={`${timeOf(hour)}: ${countText(most)} at once, ${plural(starts, 'start')}${isRinged ? ', a peak' : ''}`}
                >
                  {step >= 3 ? countText(most) : <span className="sr">{most}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
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
