/** An interval: a number and its unit. */
import { useState } from 'react';
import { shortLength } from './draft.ts';
import { useTyped, Wrong } from './Field.tsx';
import type { Reading } from './typed.ts';

const units = [
  ['seconds', 1000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
] as const;

interface Interval {
  readonly everyMs: number;
  readonly phaseMs?: number;
}

/** `path` is that of the interval. */
export function Every({ path, id = 'every' }: { readonly path: string; readonly id?: string }) {
  const { value, text, problem, type } = useTyped(path, 'Every');
  const interval = value as Interval | undefined;
  const everyMs = interval?.everyMs ?? 3_600_000;
  // The unit stays while a number is typed: 60 minutes on the way to 600 are not 1 hour.
  const [chosen, setChosen] = useState<number>();
  const fitting = units.findLast(([, size]) => everyMs % size === 0)?.[1] ?? 1000;
  const unit = chosen ?? fitting;
  const shown = text ?? String(everyMs / unit);
  const read = (number: string, size: number): Reading => {
    const next = Math.round(Number(number) * size);
    return number.trim() !== '' && next > 0
      ? { value: { ...interval, everyMs: next } }
      : { problem: 'Write a number greater than 0.' };
  };
  return (
    <div>
      <label className="flabel" htmlFor={id}>
        Every
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          inputMode="decimal"
          className="input"
          value={shown}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={({ target }) => {
            setChosen(unit);
            type(target.value, read(target.value, unit));
          }}
        />
        <select
          className="pick"
          aria-label="Unit"
          value={unit}
          onChange={({ target }) => {
            setChosen(Number(target.value));
            type(shown, read(shown, Number(target.value)));
          }}
        >
          {units.map(([name, size]) => (
            <option key={size} value={size}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Wrong id={id} problem={problem} />
      {interval?.phaseMs !== undefined && interval.phaseMs !== 0 && (
        <p className="help">
          Each time {shortLength(interval.phaseMs)} later <code>offset</code>.
        </p>
      )}
    </div>
  );
}
