/** The request behind a workflow: the action of its schedule, decoded from the client's bytes. */
import type { RunRow, RunSearch, ScheduleDefinition } from 'carillon/internal/service';
import { optionsOf } from 'carillon/internal/service';
import { contentOf } from '../fields.ts';
import { originDoor } from '../origin.ts';
import type { WorkflowStart } from '../protocol.ts';
import { decode, workflowStartType } from '../protocol.ts';
import type { Workflow } from './workflow.ts';

/** The number of the field of a `ScheduleAction` that names the workflow to start. */
const startWorkflow = 1;

/** Runs of one version of a schedule share its definition, so each definition is decoded once. */
const decoded = new WeakMap<ScheduleDefinition, { readonly start: WorkflowStart | undefined }>();

/** Undefined for schedules created through other doors. */
export function startOf(definition: ScheduleDefinition | undefined): WorkflowStart | undefined {
  if (definition === undefined) return undefined;
  let known = decoded.get(definition);
  if (known === undefined) {
    known = { start: decodeStart(definition) };
    decoded.set(definition, known);
  }
  return known.start;
}

function decodeStart({ origin }: ScheduleDefinition): WorkflowStart | undefined {
  const action = origin?.[originDoor]?.action;
  const bytes = action === undefined ? undefined : contentOf(Buffer.from(action, 'base64'), startWorkflow);
  return bytes === undefined ? undefined : decode<WorkflowStart>(workflowStartType, bytes);
}

/** The request of a workflow that was started without a schedule. */
function startOfRun(run: RunRow): WorkflowStart | undefined {
  const text = optionsOf(run).origin?.[originDoor];
  return text === undefined
    ? undefined
    : decode<WorkflowStart>(workflowStartType, Buffer.from(text, 'base64'));
}

/** The requests behind these workflows. */
export async function startsOf(
  search: RunSearch,
  workflows: readonly Pick<Workflow, 'run'>[],
): Promise<(workflow: Pick<Workflow, 'run'>) => WorkflowStart | undefined> {
  const definitions = await search.definitionsOf(workflows.map(({ run }) => run));
  return ({ run }) => startOf(definitions.get(run.id)) ?? startOfRun(run);
}
