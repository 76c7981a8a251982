/** The fields of one entry of a spec. */
import { describeSpec, type ScheduleSpec } from 'carillon/spec';
import { sentence } from '../parts/sentence.ts';
import { anatomyOf } from '../playground/anatomy.ts';
import { Parts } from '../playground/Parts.tsx';
import { placeOf } from '../time/zone.ts';
import type { CronDraft, Draft } from './draft.ts';
import { Every } from './Every.tsx';
import type { Entry } from './entries.ts';
import { useTyped } from './Field.tsx';
import { MomentField } from './MomentField.tsx';
import type { SpecProblems } from './preview.ts';
import { text } from './read-field.ts';
import { valueAt, withValue } from './typed.ts';

type Problems = SpecProblems['problems'];

interface EntryFieldsProps {
  readonly entry: Entry;
  readonly draft: Draft;
  readonly zone: string;
  readonly problems: Problems;
  /** Whether it is the only entry; the parts of the only cron text are shown below it in the full width. */
  readonly isAlone: boolean;
  readonly onChange: (draft: Draft) => void;
}

export function EntryFields({ entry, draft, zone, problems, isAlone, onChange }: EntryFieldsProps) {
  const { kind, list, index, problemPath } = entry;
  const path = `${list}.${index}`;
  // The first of each kind has a plain name, which links and tests use.
  const name = (plain: string) => (index === 0 && !list.includes('exclude') ? plain : `${plain}-${path}`);
  const own = problems.filter((problem) => problem.path.startsWith(problemPath));
  const isWrong = own.length > 0;
  const wrong = isWrong && <EntryProblems id={`${name(kind)}-wrong`} problems={own} />;
  const described = isWrong ? `${name(kind)}-wrong` : undefined;
  const set = (field: string, value: unknown) => onChange(withValue(draft, `${path}.${field}`, value));
  switch (kind) {
    case 'cron': {
      const cron = (valueAt(draft, path) ?? {}) as CronDraft;
      return (
        <div className="min-w-0">
          <label className="flabel" htmlFor={name('cron')}>
            Cron,{' '}
            <DialectPick
              value={cron.dialect ?? 'unix'}
              onChange={(dialect) => set('dialect', dialect === 'unix' ? undefined : dialect)}
            />{' '}
            dialect
            {!isAlone && cron.zone !== undefined && (
              <span className="t3 font-normal">, {placeOf(String(cron.zone))} time</span>
            )}
          </label>
          <input
            id={name('cron')}
            className="input font-mono"
            value={String(cron.text ?? '')}
            spellCheck={false}
            aria-invalid={isWrong}
            aria-describedby={described}
            onChange={(event) => set('text', event.target.value)}
          />
          {wrong}
          {!isAlone && <CronParts cron={cron} />}
        </div>
      );
    }
    case 'every':
      return (
        <div>
          <Every path={path} id={name('every')} />
          {wrong}
        </div>
      );
    case 'rrule':
      return (
        <div>
          <label className="flabel" htmlFor={name('rrule')}>
            Recurrence rule, RFC 5545
          </label>
          <textarea
            id={name('rrule')}
            className="area font-mono"
            rows={3}
            value={String(valueAt(draft, `${path}.text`) ?? '')}
            spellCheck={false}
            aria-invalid={isWrong}
            aria-describedby={described}
            onChange={(event) => set('text', event.target.value)}
          />
          {wrong}
        </div>
      );
    case 'once':
      return <MomentField id={name('once')} label="At" path={path} zone={zone} isNeeded />;
    case 'calendar':
      return (
        <div>
          <span className="flabel">Calendar</span>
          <div className="grid grid-cols-3 gap-2">
            {calendarFields.map(([field, label, usual]) => (
              <CalendarField
                key={field}
                id={name(`calendar-${field}`)}
                path={`${path}.${field}`}
                label={label}
                usual={usual}
                isWrong={own.some((problem) => problem.path.endsWith(`.${field}`))}
              />
            ))}
          </div>
          {wrong}
        </div>
      );
    case 'structured':
      return (
        <div>
          <span className="flabel">Calendar, in numbers</span>
          <p className="t2">
            {wordsOf(valueAt(draft, path))}. <span className="t3">Change it as JSON.</span>
          </p>
          {wrong}
        </div>
      );
  }
}

const calendarFields = [
  ['hour', 'Hour', '0'],
  ['minute', 'Minute', '0'],
  ['second', 'Second', '0'],
  ['dayOfWeek', 'Weekday', '*'],
  ['dayOfMonth', 'Day', '*'],
  ['month', 'Month', '*'],
] as const;

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

function EntryProblems({ id, problems }: { readonly id: string; readonly problems: Problems }) {
  return (
    <p id={id} className="help wrong" role="alert">
      {problems
        .map(({ message, fix }) =>
          sentence(`${message.replace(/^\w+ cron: /, '')}${fix === undefined ? '' : `: ${fix}`}`),
        )
        .join(' ')}
    </p>
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

function DialectPick({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      className="plain-select bg-transparent font-medium underline decoration-dotted"
      aria-label="Dialect"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {['unix', 'temporal', 'spring'].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

export function CronParts({ cron }: { readonly cron: CronDraft }) {
  const parts = anatomyOf(String(cron.text ?? ''), cron.dialect ?? 'unix');
  return parts.length === 0 ? null : (
    <div className="mt-2">
      <Parts parts={parts} />
    </div>
  );
}
