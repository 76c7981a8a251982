/**
 * The operator may set a Temporal cluster for a namespace of this door. Workflows that clients schedule or start in the
 * namespace are then started on that cluster, with every field in the client's original bytes.
 */
import type { Problem } from 'carillon/internal/base';
import { assert, ServiceError } from 'carillon/internal/base';
import type { ScheduleAction } from 'carillon/internal/service';
import { readAction } from 'carillon/internal/service';
import { base64, contentOf, field, fieldsOf } from './fields.ts';
import { typeNamed, workflowStartType } from './protocol.ts';
import { predefinedAttributes } from './search-attributes/system-attributes.ts';

/** The cluster on which the workflows of a namespace are started. */
export interface ClusterTarget {
  /** The name of a cluster in the configuration. Default `default`. */
  readonly cluster?: string;
  /** The namespace on the cluster. Default: the one with the same name. */
  readonly namespace?: string;
}

/** Clusters by the names of this server's namespaces. */
export type ClusterTargets = Readonly<Record<string, ClusterTarget>>;

/** Fields of a start that are not copied: the scheduler sets them, or they have a field of their own in the action. */
const ownFields: ReadonlySet<string> = new Set([
  'workflowId',
  'workflowType',
  'taskQueue',
  'workflowIdReusePolicy',
  'cronSchedule',
  'searchAttributes',
]);

const requestType = typeNamed('temporal.api.workflowservice.v1.StartWorkflowExecutionRequest');
const requestNumbers = new Map(requestType.fieldsArray.map(({ name, id }) => [name, id]));
/** The field numbers of a start request by those of a schedule's action, for the fields that are copied. */
const copiedFields = new Map(
  workflowStartType.fieldsArray.flatMap(({ name, id }) => {
    const number = ownFields.has(name) ? undefined : requestNumbers.get(name);
    return number === undefined ? [] : [[id, number] as const];
  }),
);
const attributesNumber = workflowStartType.fieldsArray.find(({ name }) => name === 'searchAttributes')?.id;

/** The action as a start on a cluster. `bytes` is the client's `NewWorkflowExecutionInfo`. */
export function onCluster(
  action: ScheduleAction,
  bytes: Uint8Array,
  { target, namespace }: { readonly target: ClusterTarget; readonly namespace: string },
): ScheduleAction {
  const { name: workflowType, queue: taskQueue, workflowId, priority } = action;
  const problems: Problem[] = [];
  const made = readAction(
    {
      temporal: {
        workflowType,
        taskQueue,
        namespace: target.namespace ?? namespace,
        ...(target.cluster === undefined ? {} : { cluster: target.cluster }),
        sent: { fields: base64(requestFields(bytes)), searchAttributes: base64(attributeEntries(bytes)) },
      },
      workflowId,
      priority,
    },
    problems,
  );
  assert(made !== undefined, 'the action has a kind');
  if (problems.length > 0) throw ServiceError.invalid(problems);
  // Clients search for workflows by id.
  return { ...made, findable: true };
}

function requestFields(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  for (const { number, content } of fieldsOf(bytes)) {
    const as = copiedFields.get(number);
    if (as !== undefined && content !== undefined) kept.push(field(as, content));
  }
  return Buffer.concat(kept);
}

const keyField = 1;

/** The entries of the client's search attributes, except those that every start sets itself. */
function attributeEntries(bytes: Uint8Array): Uint8Array {
  assert(attributesNumber !== undefined, 'the message has search attributes');
  const kept: Uint8Array[] = [];
  for (const { bytes: entry, content } of fieldsOf(contentOf(bytes, attributesNumber) ?? new Uint8Array())) {
    const name = Buffer.from(contentOf(content ?? new Uint8Array(), keyField) ?? []).toString();
    if (!predefinedAttributes.has(name)) kept.push(entry);
  }
  return Buffer.concat(kept);
}
