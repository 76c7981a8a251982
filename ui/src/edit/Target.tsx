/** The fields of work other than a handler's: an HTTP request, a command, work of another system. Loaded when it is chosen. */
import type { ReactNode } from 'react';
import type { WorkKind } from './draft.ts';
import { Field, useTyped } from './Field.tsx';
import { argv, json, neededText, text, whole } from './read-field.ts';

export function Target({ kind }: { readonly kind: Exclude<WorkKind, 'run'> }) {
  return targets[kind];
}

/** The method and the address of an HTTP request. */
export function HttpAddress() {
  return (
    <div className="grid grid-cols-[auto_1fr] gap-3">
      <Method />
      <Field id="url" label="Address" path="http.url" className="font-mono" {...neededText} />
    </div>
  );
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
const targets: Readonly<Record<Exclude<WorkKind, 'run'>, ReactNode>> = {
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
