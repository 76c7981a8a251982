/** A field for the name of a zone. An unknown name changes nothing; a similar zone is suggested. */
import { useState } from 'react';
import { Wrong } from '../edit/Field.tsx';
import { zoneOf } from '../edit/read-field.ts';

interface ZoneFieldProps {
  readonly id: string;
  readonly label: string;
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

export function ZoneField({ id, label, zone, onChange }: ZoneFieldProps) {
  const [typed, setTyped] = useState({ text: zone, of: zone });
  // When the zone changes elsewhere, it replaces the typed text.
  const text = typed.of === zone ? typed.text : zone;
  const reading = zoneOf({}).read(text);
  const problem = 'problem' in reading ? `${reading.problem} Times are still those of ${zone}.` : undefined;
  return (
    <div className="w-52">
      <label className="flabel" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        list="zones"
        value={text}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={({ target }) => {
          const next = zoneOf({}).read(target.value);
          const name = 'value' in next && typeof next.value === 'string' ? next.value : zone;
          setTyped({ text: target.value, of: name });
          if (name !== zone) onChange(name);
        }}
      />
      <Wrong id={id} problem={problem} />
    </div>
  );
}
