/** What runs: a handler, an HTTP request or a command, with its input and limits. */
import { useState } from 'react';
import { Seg } from '../parts/Seg.tsx';
import type { Draft } from './draft.ts';
import { shortLength, withField } from './draft.ts';

type Kind = 'run' | 'http' | 'command' | 'other';

interface WhatProps {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function kindOf(draft: Draft): Kind {
  if (draft.http !== undefined) return 'http';
  if (draft.command !== undefined) return 'command';
  return draft.run === undefined ? 'other' : 'run';
}

export function What({ draft, onChange }: WhatProps) {
  const kind = kindOf(draft);
  const set = (name: string, value: unknown) => onChange(withField(draft, name, value));
  const switchTo = (next: Kind) => {
    const { run: _, http: __, command: ___, ...rest } = draft;
    if (next === 'run') onChange({ ...rest, run: '' });
    if (next === 'http') onChange({ ...rest, http: { url: 'https://' } });
    if (next === 'command') onChange({ ...rest, command: ['true'] });
  };
  const http = (draft.http ?? {}) as { readonly url?: string; readonly method?: string };
  const command = draft.command;
  const argv = Array.isArray(command) ? command.join(' ') : '';
  const retry = (draft.retry ?? {}) as { readonly attempts?: number };
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
            <div>
              <label className="flabel" htmlFor="argv">
                Program and arguments
              </label>
              <input
                id="argv"
                className="input font-mono"
                defaultValue={argv}
                spellCheck={false}
                onChange={(event) =>
                  set(
                    'command',
                    event.target.value.split(/\s+/).filter((each) => each !== ''),
                  )
                }
              />
              <p className="help">No shell. Servers run commands only when their configuration allows it.</p>
            </div>
          )}
          {kind === 'other' && <p className="t2">Work of another kind. Change it as JSON.</p>}
          <Input value={draft.input} onChange={(input) => set('input', input)} />
        </div>
        <div className="grid gap-4 wide:grid-cols-3">
          <div>
            <label className="flabel" htmlFor="attempts">
              Attempts <code className="t3">retry</code>
            </label>
            <input
              id="attempts"
              type="number"
              min="1"
              className="input"
              value={retry.attempts ?? ''}
              placeholder="1"
              onChange={(event) =>
                set(
                  'retry',
                  event.target.value === '' ? undefined : { ...retry, attempts: Number(event.target.value) },
                )
              }
            />
          </div>
          <div>
            <label className="flabel" htmlFor="timeout">
              Longest run <code className="t3">timeout</code>
            </label>
            <input
              id="timeout"
              className="input"
              value={shortLength(draft.timeout)}
              placeholder="none"
              onChange={(event) => set('timeout', event.target.value)}
            />
          </div>
          <div>
            <label className="flabel" htmlFor="owner">
              Owner
            </label>
            <input
              id="owner"
              className="input"
              value={String(draft.owner ?? '')}
              onChange={(event) => set('owner', event.target.value)}
            />
          </div>
        </div>
        <div className="grid gap-4 wide:grid-cols-2">
          <div>
            <label className="flabel" htmlFor="description">
              Description
            </label>
            <input
              id="description"
              className="input"
              value={String(draft.description ?? '')}
              onChange={(event) => set('description', event.target.value)}
            />
          </div>
          <div>
            <label className="flabel" htmlFor="tags">
              Tags
            </label>
            <input
              id="tags"
              className="input"
              defaultValue={((draft.tags ?? []) as readonly string[]).join(', ')}
              placeholder="billing, erp"
              onChange={(event) =>
                set(
                  'tags',
                  event.target.value
                    .split(',')
                    .map((tag) => tag.trim())
                    .filter((tag) => tag !== ''),
                )
              }
            />
          </div>
        </div>
      </div>
    </section>
  );
}

/** JSON is taken over as soon as it can be read. */
function Input({
  value,
  onChange,
}: {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(
    value === undefined || value === null ? '' : JSON.stringify(value, null, 2),
  );
  const [isWrong, setWrong] = useState(false);
  return (
    <div>
      <label className="flabel" htmlFor="input">
        Input <span className="t3 font-normal">JSON</span>
      </label>
      <textarea
        id="input"
        className="area font-mono text-second"
        rows={3}
        value={text}
        spellCheck={false}
        aria-invalid={isWrong}
        onChange={(event) => {
          setText(event.target.value);
          try {
            onChange(
              event.target.value.trim() === '' ? undefined : (JSON.parse(event.target.value) as unknown),
            );
            setWrong(false);
          } catch {
            setWrong(true);
          }
        }}
      />
      {isWrong && <p className="help wrong">Not JSON yet; the last that could be read is kept.</p>}
    </div>
  );
}
