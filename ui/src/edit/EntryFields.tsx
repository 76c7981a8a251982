/** The fields of one entry of a spec. */
import { sentence } from '../parts/sentence.ts';
import { anatomyOf } from '../playground/anatomy.ts';
import { Parts } from '../playground/Parts.tsx';
import { placeOf } from '../time/zone.ts';
import { CalendarFields, RuleField, StructuredCalendar } from './CalendarFields.tsx';
import type { CronDraft, Draft } from './draft.ts';
import { Every } from './Every.tsx';
import type { Entry } from './entries.ts';
import { MomentField } from './MomentField.tsx';
import type { SpecProblems } from './preview.ts';
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
          <RuleField
            id={name('rrule')}
            value={String(valueAt(draft, `${path}.text`) ?? '')}
            described={described}
            onChange={(text) => set('text', text)}
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
          <CalendarFields
            path={path}
            idOf={(field) => name(`calendar-${field}`)}
            isWrong={(field) => own.some((problem) => problem.path.endsWith(`.${field}`))}
          />
          {wrong}
        </div>
      );
    case 'structured':
      return (
        <div>
          <StructuredCalendar value={valueAt(draft, path)} />
          {wrong}
        </div>
      );
  }
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
