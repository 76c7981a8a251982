/** A moment on the wall clock of the schedule's zone. */
import { instantOf, offsetAt, placeOf } from '../time/zone.ts';
import { useTyped, Wrong } from './Field.tsx';

interface MomentFieldProps {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  readonly zone: string;
  /** Whether a moment is required. */
  readonly isNeeded?: boolean;
}

export function MomentField({ id, label, path, zone, isNeeded = false }: MomentFieldProps) {
  const { value, text, problem, type } = useTyped(path, label);
  const at = value as number | undefined;
  const hasSeconds = at !== undefined && at % 60_000 !== 0;
  const wall =
    at === undefined ? '' : new Date(at + offsetAt(zone, at)).toISOString().slice(0, hasSeconds ? 19 : 16);
  return (
    <div>
      <label className="flabel" htmlFor={id}>
        {label} <span className="t3 font-normal">{placeOf(zone)} time</span>
      </label>
      <input
        id={id}
        type="datetime-local"
        className="input"
        step={hasSeconds ? 1 : undefined}
        // A partly typed moment has no value; showing the draft's value would discard the typed part.
        value={problem === undefined ? wall : text}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={({ target }) => {
          const local = Date.parse(`${target.value}Z`);
          if (!Number.isNaN(local)) {
            const instant = instantOf(zone, local);
            type(target.value, { value: instant });
          } else if (isNeeded || target.validity.badInput) {
            type(target.value, { problem: 'Write the whole date and time.' });
          } else type('', { value: undefined });
        }}
      />
      <Wrong id={id} problem={problem} />
    </div>
  );
}
