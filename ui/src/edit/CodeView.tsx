/** The definition as text: JSON to edit, YAML and TypeScript to copy. */
import { type CodeName, codeOf } from '../schedule/code.ts';
import { pastedOf } from '../schedule/pasted.ts';
import type { Draft } from './draft.ts';
import { isSame } from './draft.ts';
import { Wrong } from './Field.tsx';
import type { KeptEdit } from './kept.ts';
import { withPlainTimes } from './plain-times.ts';
import { readDefinition } from './read-field.ts';
import { typedAt, withTyped } from './typed.ts';

interface CodeViewProps {
  readonly view: CodeName;
  /** The id of a schedule that exists. */
  readonly known: string | undefined;
  readonly edit: Pick<KeptEdit, 'id' | 'base' | 'draft' | 'texts'>;
  readonly onChange: (change: Partial<KeptEdit>) => void;
}

export function CodeView({ view, known, edit: { id, base, draft, texts }, onChange }: CodeViewProps) {
  const typed = view === 'json' ? typedAt(texts, draft, '') : undefined;
  const read = (text: string) => {
    const found = readDefinition(text, known);
    const entry = { path: '', label: 'JSON', text };
    if ('problem' in found) {
      onChange({ texts: withTyped(texts, draft, { ...entry, problem: found.problem }) });
      return;
    }
    const next = sameAs(base, withPlainTimes(found.draft));
    const named = known === undefined && found.id !== undefined ? { id: found.id } : {};
    onChange({ draft: next, texts: withTyped(texts, next, entry), ...named });
  };
  return (
    <section className="card" aria-label="As code">
      <div className="body">
        <label className="sr" htmlFor="code">
          The schedule as {view}
        </label>
        <textarea
          id="code"
          className="area min-h-110 w-full font-mono text-second"
          value={typed?.text ?? codeOf(view, id === '' ? 'new-schedule' : id, draft)}
          readOnly={view !== 'json'}
          spellCheck={false}
          aria-invalid={typed?.problem !== undefined}
          aria-describedby={typed?.problem === undefined ? undefined : 'code-problem'}
          onChange={(event) => read(event.target.value)}
        />
        <Wrong id="code" problem={typed?.problem} />
        {view !== 'json' && <p className="help">To copy from. Edit as form or JSON.</p>}
      </div>
    </section>
  );
}

/** The text leaves out defaults; a default that is left out is not a change. */
function sameAs(base: Draft, next: Draft): Draft {
  return isSame(pastedOf(base), pastedOf(next)) ? base : next;
}
