/** A segmented control: one of a few values. */
export interface Option<T extends string> {
  readonly value: T;
  readonly text: string;
}

interface SegProps<T extends string> {
  readonly label: string;
  readonly options: readonly Option<T>[];
  readonly value: T | undefined;
  readonly onChange: (value: T) => void;
}

export function Seg<T extends string>({ label, options, value, onChange }: SegProps<T>) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}
