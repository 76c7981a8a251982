/** The fields of calendars and of recurrence rules. They are part of the form's first file: what comes later would move what one is about to press. */
import { describeSpec, type ScheduleSpec } from 'carillon/spec';
import { useTyped } from './Field.tsx';
import { text } from './read-field.ts';

const calendarFields = [
  ['hour', 'Hour', '0'],
  ['minute', 'Minute', '0'],
  ['second', 'Second', '0'],
  ['dayOfWeek', 'Weekday', '*'],
  ['dayOfMonth', 'Day', '*'],
  ['month', 'Month', '*'],
] as const;

interface CalendarFieldsProps {
  /** The path of the entry in the definition. */
  readonly path: string;
  readonly idOf: (field: string) => string;
  readonly isWrong: (field: string) => boolean;
}

export function CalendarFields({ path, idOf, isWrong }: CalendarFieldsProps) {
  return (
    <div className="grid grid-cols-3 gap-2">
      {calendarFields.map(([field, label, usual]) => (
        <CalendarField
          key={field}
          id={idOf(field)}
          path={`${path}.${field}`}
          label={label}
          usual={usual}
          isWrong={isWrong(field)}
        />
      ))}
    </div>
  );
}

interface CalendarFieldProps {
  readonly id: string;
  readonly path: string;
  readonly label: string;
  /** The meaning of an empty field. */
  readonly usual: string;
  readonly isWrong: boolean;
}

function CalendarField({ id, path, label, usual, isWrong }: CalendarFieldProps) {
  const { value, text: typed, type } = useTyped(path, label);
  return (
    <div className="min-w-0">
      <label className="micro block" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input font-mono"
        placeholder={usual}
        value={typed ?? text.format(value)}
        spellCheck={false}
        aria-invalid={isWrong}
        onChange={({ target }) => type(target.value, text.read(target.value))}
      />
    </div>
  );
}

export function StructuredCalendar({ value }: { readonly value: unknown }) {
  return (
    <>
      <span className="flabel">Calendar, in numbers</span>
      <p className="t2">
        {wordsOf(value)}. <span className="t3">Change it as JSON.</span>
      </p>
    </>
  );
}

function wordsOf(calendar: unknown): string {
  try {
    return describeSpec({ structuredCalendars: [calendar] } as ScheduleSpec);
  } catch {
    // JSON that cannot be read as a calendar; its problems stand below.
    return 'It cannot be read';
  }
}

interface RuleFieldProps {
  readonly id: string;
  readonly value: string;
  /** The id of the text that says what is wrong; absent when nothing is. */
  readonly described: string | undefined;
  readonly onChange: (text: string) => void;
}

export function RuleField({ id, value, described, onChange }: RuleFieldProps) {
  return (
    <>
      <label className="flabel" htmlFor={id}>
        Recurrence rule, RFC 5545
      </label>
      <textarea
        id={id}
        className="area font-mono"
        rows={3}
        value={value}
        spellCheck={false}
        aria-invalid={described !== undefined}
        aria-describedby={described}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
