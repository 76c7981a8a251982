import { troubleOf } from '../data/api.ts';
import { Note } from '../parts/Note.tsx';
import { refusalOf } from './refusal.ts';

/** Shown in place of what will happen. */
export function Refused({ error }: { readonly error: unknown }) {
  const { title, text } = refusalOf(troubleOf(error));
  return (
    <Note family="fail">
      <b>{title}</b> {text}
    </Note>
  );
}
