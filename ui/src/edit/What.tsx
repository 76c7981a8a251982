/** What runs: a handler, an HTTP request, a command or work of another system, with its input and limits. */
import { type ReactNode, useState } from 'react';
import { Seg } from '../parts/Seg.tsx';
import type { Draft, WorkKind } from './draft.ts';
import { withWork, workOf } from './draft.ts';
import { Field, useTyped } from './Field.tsx';
import { argv, json, length, neededText, text, whole, words } from './read-field.ts';

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
          <div className="grid grid-cols-[auto_1fr] gap-3">
            <Method />
            <Field id="url" label="Address" path="http.url" className="font-mono" {...neededText} />
          </div>
        )}
        <div className="grid gap-4 wide:grid-cols-2">
          <div className="grid content-start gap-4">{kind !== undefined && targets[kind]}</div>
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

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

function Method() {
  const { value, type } = useTyped('http.method', 'Method');
  return (
    <div>
      <label className="flabel" htmlFor="method">
        Method
      </label>
      <select
        id="method"
        className="pick"
        value={String(value ?? 'POST')}
        onChange={({ target }) =>
          type(target.value, { value: target.value === 'POST' ? undefined : target.value })
        }
      >
        {methods.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </div>
  );
}

const furtherAsJson = <p className="help">Its further settings can be changed as JSON.</p>;

/** The fields of each kind's target. */
const targets: Readonly<Record<WorkKind, ReactNode>> = {
  run: (
    <Field
      id="run"
      label="Handler"
      path="run"
      className="font-mono"
      placeholder="billing.syncInvoices"
      {...neededText}
    />
  ),
  http: (
    <>
      <Field
        id="headers"
        label="Headers"
        beside={<span className="t3 font-normal">JSON</span>}
        path="http.headers"
        className="font-mono text-second"
        placeholder={'{ "x-tenant": "acme" }'}
        rows={3}
        {...json}
      />
      <Field
        id="body"
        label="Body"
        beside={<span className="t3 font-normal">JSON</span>}
        path="http.body"
        className="font-mono text-second"
        help="Left empty, it tells the schedule, the slot, the run and the input."
        rows={3}
        {...json}
      />
    </>
  ),
  command: (
    <>
      <Field
        id="argv"
        label="Program and arguments"
        path="command.argv"
        className="font-mono"
        help="No shell. Servers run commands only when their configuration allows it."
        {...argv}
      />
      <Field id="cwd" label="Folder" path="command.cwd" className="font-mono" {...text} />
    </>
  ),
  bullmq: (
    <>
      <Field
        id="bullmq-queue"
        label="Queue of BullMQ"
        path="bullmq.queue"
        className="font-mono"
        {...neededText}
      />
      <Field
        id="bullmq-name"
        label="Name of the job"
        path="bullmq.name"
        className="font-mono"
        placeholder="the id of the schedule"
        {...text}
      />
      {furtherAsJson}
    </>
  ),
  temporal: (
    <>
      <Field
        id="workflow-type"
        label="Workflow type"
        path="temporal.workflowType"
        className="font-mono"
        {...neededText}
      />
      <Field
        id="task-queue"
        label="Task queue"
        path="temporal.taskQueue"
        className="font-mono"
        {...neededText}
      />
      {furtherAsJson}
    </>
  ),
  conductor: (
    <>
      <Field id="workflow" label="Workflow" path="conductor.workflow" className="font-mono" {...neededText} />
      <Field
        id="workflow-version"
        label="Version"
        path="conductor.version"
        placeholder="the latest"
        {...whole(1, 1_000_000_000)}
      />
      {furtherAsJson}
    </>
  ),
};
