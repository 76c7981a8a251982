interface ChoiceProps {
  readonly legend: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly text: string; readonly detail: string }[];
  readonly onChange: (value: string) => void;
}

/** Radio buttons, each with a text that says what the choice does. */
export function Choice({ legend, name, value, options, onChange }: ChoiceProps) {
  return (
    <fieldset>
      <legend className="flabel">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>
            <b className="font-medium">{option.text}</b> <span className="t2">{option.detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
