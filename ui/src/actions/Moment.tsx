import { instantOf, offsetAt, zoneLetters } from '../time/zone.ts';

interface MomentProps {
  readonly label: string;
  readonly zone: string;
  readonly value: number;
  readonly onChange: (at: number) => void;
}

/** A time in the schedule's zone. */
export function Moment({ label, zone, value, onChange }: MomentProps) {
  const local = new Date(value + offsetAt(zone, value)).toISOString().slice(0, 16);
  return (
    <label>
      <span className="flabel">
        {label} <span className="t3 font-normal">{zoneLetters(zone, value)}</span>
      </span>
      <input
        type="datetime-local"
        className="input"
        value={local}
        onChange={(event) => {
          const at = Date.parse(`${event.target.value}:00Z`);
          if (!Number.isNaN(at)) onChange(instantOf(zone, at));
        }}
      />
    </label>
  );
}
