/** A field of the form whose text is read into the definition, and that says what is wrong with a text that cannot be read. */
import type { ReactNode } from 'react';
import { createContext, useContext, useMemo } from 'react';
import type { Draft } from './draft.ts';
import type { Form } from './read-field.ts';
import type { Reading, TypedTexts } from './typed.ts';
import { typedAt, valueAt, withTyped, withValue } from './typed.ts';

export interface Editing {
  readonly draft: Draft;
  readonly texts: TypedTexts;
  readonly onChange: (draft: Draft, texts: TypedTexts) => void;
}

export const EditingContext = createContext<Editing>({ draft: {}, texts: {}, onChange: () => {} });

/** The text of one field and its problem, and how another text is taken. */
export function useTyped(path: string, label: string) {
  const { draft, texts, onChange } = useContext(EditingContext);
  const typed = typedAt(texts, draft, path);
  const value = valueAt(draft, path);
  return {
    value,
    draft,
    text: typed?.text,
    problem: typed?.problem,
    type: (text: string, reading: Reading, after: (draft: Draft) => Draft = (same) => same) => {
      const isRead = 'value' in reading;
      const next = isRead ? after(withValue(draft, path, reading.value)) : draft;
      const problem = isRead ? undefined : reading.problem;
      onChange(next, withTyped(texts, next, { path, label, text, problem }));
    },
  };
}

interface FieldProps extends Form {
  readonly path: string;
  readonly label: string;
  /** For the address of the label; names the field on the screen. */
  readonly id: string;
  /** Text beside the label: the field's name in code, a unit, a zone. */
  readonly beside?: ReactNode;
  readonly help?: ReactNode;
  readonly placeholder?: string;
  readonly className?: string;
  /** The number of lines, where there may be several. */
  readonly rows?: number;
  readonly list?: string;
  /** A further change of the draft that a new value causes. */
  readonly after?: (draft: Draft) => Draft;
}

export function Field({
  path,
  label,
  id,
  beside,
  help,
  placeholder,
  className = '',
  rows,
  list,
  format,
  read,
  after,
}: FieldProps) {
  const { value, text, problem, type } = useTyped(path, label);
  const written = useMemo(() => format(value), [format, value]);
  const shared = {
    id,
    placeholder,
    value: text ?? written,
    spellCheck: false,
    'aria-invalid': problem !== undefined,
    'aria-describedby': problem === undefined ? undefined : `${id}-problem`,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      type(target.value, read(target.value), after),
  };
  return (
    <div>
      <label className="flabel" htmlFor={id}>
        {label} {beside}
      </label>
      {rows === undefined ? (
        <input {...shared} list={list} className={`input ${className}`} />
      ) : (
        <textarea {...shared} rows={rows} className={`area ${className}`} />
      )}
      <Wrong id={id} problem={problem} />
      {help !== undefined && <p className="help">{help}</p>}
    </div>
  );
}

/** The problem of a field, announced to screen readers when it appears. */
export function Wrong({ id, problem }: { readonly id: string; readonly problem: string | undefined }) {
  if (problem === undefined) return null;
  return (
    <p id={`${id}-problem`} className="help wrong" role="alert">
      {problem}
    </p>
  );
}
