/** What runs: a handler, an HTTP request or a command, with its input and limits. */
import { Seg } from '../parts/Seg.tsx';
import type { Draft } from './draft.ts';
import { withField, withWork, workOf } from './draft.ts';
import { Field } from './Field.tsx';
import { argv, json, length, text, whole, words } from './read-field.ts';

/** The kinds that the form has fields for, and a target to begin with. */
const begun = { run: '', http: { url: 'https://' }, command: { argv: ['true'] } };
type FormKind = keyof typeof begun;
type Kind = FormKind | 'other';

interface WhatProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function kindOf(draft: Draft): Kind {
  const kind = workOf(draft);
  return kind !== undefined && Object.hasOwn(begun, kind) ? (kind as FormKind) : 'other';
}

export function What({ draft, onChange }: WhatProps) {
  const kind = kindOf(draft);
  const set = (name: string, value: unknown) => onChange(withField(draft, name, value));
  const switchTo = (next: FormKind) => onChange(withWork(draft, next, begun[next]));
  const http = (draft.http ?? {}) as { readonly url?: string; readonly method?: string };
  return (
    <section className="card" aria-labelledby="what" id="focus-what">
      <header className="flex-wrap">
        <h2 id="what">What</h2>
        <span className="flex-1" />
        <Seg
          label="Kind of work"
          options={[
            { value: 'run', text: 'Handler' },
            { value: 'http', text: 'HTTP' },
            { value: 'command', text: 'Command' },
          ]}
          value={kind === 'other' ? undefined : kind}
          onChange={(next) => next !== kind && switchTo(next)}
        />
      </header>
      <div className="body grid gap-4">
        <div className="grid gap-4 wide:grid-cols-2">
          {kind === 'run' && (
            <div>
              <label className="flabel" htmlFor="run">
                Handler
              </label>
              <input
                id="run"
                className="input font-mono"
                value={String(draft.run ?? '')}
                placeholder="billing.syncInvoices"
                spellCheck={false}
                onChange={(event) => onChange({ ...draft, run: event.target.value })}
              />
            </div>
          )}
          {kind === 'http' && (
            <div>
              <label className="flabel" htmlFor="url">
                Address
              </label>
              <input
                id="url"
                className="input font-mono"
                value={http.url ?? ''}
                spellCheck={false}
                onChange={(event) => set('http', { ...http, url: event.target.value })}
              />
            </div>
          )}
          {kind === 'command' && (
            <Field
              id="argv"
              label="Program and arguments"
              path="command.argv"
              className="font-mono"
              help="No shell. Servers run commands only when their configuration allows it."
              {...argv}
            />
          )}
          {kind === 'other' && <p className="t2">Work of another kind. Change it as JSON.</p>}
          <Field
            id="input"
            label="Input"
            beside={<span className="t3 font-normal">JSON</span>}
            path="input"
            className="font-mono text-second"
            rows={3}
            {...json}
          />
        </div>
        <div className="grid gap-4 wide:grid-cols-3">
          <Field
            id="attempts"
            label="Attempts"
            beside={<code className="t3">retry</code>}
            path="retry.attempts"
            placeholder="1"
            {...whole(1, 1_000_000)}
          />
          <Field
            id="attempt-timeout"
            label="Longest attempt"
            beside={<code className="t3">attemptTimeout</code>}
            path="attemptTimeout"
            placeholder="none"
            {...length}
          />
          <Field
            id="timeout"
            label="Longest run"
            beside={<code className="t3">timeout</code>}
            path="timeout"
            placeholder="none"
            {...length}
          />
          <Field
            id="pause-after"
            label="Pause after failures"
            path="pauseAfterFailures"
            placeholder="never"
            help="So many in a row; 0 means never."
            {...whole(0, 1_000_000)}
          />
          {kind === 'run' && <Field id="queue" label="Queue" path="queue" placeholder="default" {...text} />}
          <Field id="owner" label="Owner" path="owner" {...text} />
        </div>
        <div className="grid gap-4 wide:grid-cols-2">
          <Field id="description" label="Description" path="description" {...text} />
          <Field id="tags" label="Tags" path="tags" placeholder="billing, erp" {...words} />
        </div>
      </div>
    </section>
  );
}
