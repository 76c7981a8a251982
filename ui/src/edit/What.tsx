/** What runs: a handler, an HTTP request, a command or work of another system, with its input and limits. */
import { Suspense, useState } from 'react';
import { Seg } from '../parts/Seg.tsx';
import { lazyPart } from '../route/lazy-part.tsx';
import type { Draft, WorkKind } from './draft.ts';
import { withWork, workOf } from './draft.ts';
import { Field } from './Field.tsx';
import { json, length, neededText, text, whole, words } from './read-field.ts';

const HttpAddress = lazyPart(async () => (await import('./Target.tsx')).HttpAddress);
const Target = lazyPart(async () => (await import('./Target.tsx')).Target);

const kinds: readonly { readonly value: WorkKind; readonly text: string }[] = [
  { value: 'run', text: 'Handler' },
  { value: 'http', text: 'HTTP' },
  { value: 'command', text: 'Command' },
  { value: 'bullmq', text: 'BullMQ' },
  { value: 'temporal', text: 'Temporal' },
  { value: 'conductor', text: 'Conductor' },
];

/** What each kind begins with. */
const begun: Readonly<Record<WorkKind, unknown>> = {
  run: '',
  http: { url: 'https://' },
  command: { argv: ['true'] },
  bullmq: { queue: '' },
  temporal: { workflowType: '', taskQueue: '' },
  conductor: { workflow: '' },
};

interface WhatProps {
  readonly draft: Draft;
  /** The definition that was read. */
  readonly base: Draft;
  readonly onChange: (draft: Draft) => void;
}

export function What({ draft, base, onChange }: WhatProps) {
  const kind = workOf(draft);
  // A look at another kind loses nothing: going back brings what was there.
  const [left, setLeft] = useState<Readonly<Record<string, unknown>>>(() => targetOf(base));
  const switchTo = (next: WorkKind) => {
    setLeft({ ...left, ...targetOf(draft) });
    onChange(withWork(draft, next, left[next] ?? begun[next]));
  };
  return (
    <section className="card" aria-labelledby="what" id="focus-what">
      <header className="flex-wrap">
        <h2 id="what">What</h2>
        <span className="flex-1" />
        <div className="max-w-full overflow-x-auto">
          <Seg
            label="Kind of work"
            options={kinds}
            value={kind}
            onChange={(next) => next !== kind && switchTo(next)}
          />
        </div>
      </header>
      <div className="body grid gap-4">
        {kind === 'http' && (
          <Suspense>
            <HttpAddress />
          </Suspense>
        )}
        <div className="grid gap-4 wide:grid-cols-2">
          <div className="grid content-start gap-4">
            {kind === 'run' && (
              <Field
                id="run"
                label="Handler"
                path="run"
                className="font-mono"
                placeholder="billing.syncInvoices"
                {...neededText}
              />
            )}
            {kind !== undefined && kind !== 'run' && (
              <Suspense>
                <Target kind={kind} />
              </Suspense>
            )}
          </div>
          <Field
            id="input"
            label="Input"
            beside={<span className="t3 font-normal">JSON</span>}
            path="input"
            className="font-mono text-second"
            rows={kind === 'http' ? 9 : 4}
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

function targetOf(draft: Draft): Readonly<Record<string, unknown>> {
  const kind = workOf(draft);
  return kind === undefined ? {} : { [kind]: draft[kind] };
}
