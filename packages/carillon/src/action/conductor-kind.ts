/** `conductor`: the fields of a schedule that starts a workflow on a Conductor cluster. */
import { z } from 'zod';
import { field, type InputOf, needed } from '../base/fields.ts';
import { defaultTarget } from './action.ts';
import { workElsewhere } from './action-kind.ts';

const fields = {
  /** The name of a workflow that is registered on the cluster. The schedule's input is the workflow's. */
  workflow: needed(z.string().min(1).max(255), 'write the name of a workflow of the cluster'),
  /** Default the latest version. The cluster takes 0 literally, so it is refused. */
  version: field(z.int().min(1), 'write a version from 1 on, or leave it out for the latest'),
  /** The domain of each task type, `*` for all others. */
  taskToDomain: field(z.record(z.string().min(1), z.string().min(1)), "write e.g. { '*': 'blue' }"),
  /** The cluster's priority, 0 to 99. Default 0. */
  priority: field(z.int().min(0).max(99), 'write a whole number from 0 to 99'),
  /** Whether the run lasts until the workflow has ended (default). False: it is completed as soon as the workflow is started. */
  follow: field(z.boolean(), 'write true or false'),
  /** The name of a cluster in the configuration of the process; a schedule must not hold addresses or keys. Default `default`. */
  target: field(
    z.string().regex(/^[\w.-]{1,100}$/),
    'write the name of a target: letters, digits, dots and dashes',
  ),
};

export interface ConductorInput extends InputOf<typeof fields> {}

export const conductorKind = workElsewhere<'conductor', ConductorInput>({
  kind: 'conductor',
  schema: field(z.strictObject(fields), "write e.g. { workflow: 'daily_report' }"),
  problems: () => [],
  // The start of outside work is tried ten times before the slot fails.
  attempts: 10,
  summary: ({ workflow, version, target = defaultTarget }) =>
    `workflow ${workflow}${version === undefined ? '' : ` v${version}`} on the Conductor cluster ${target}`,
  isTimed: () => false,
  targetName: ({ target }) => target,
  outlasts: true,
});
