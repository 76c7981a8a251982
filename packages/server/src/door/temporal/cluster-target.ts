/**
 * The operator may name a Temporal cluster for a namespace of this door. The workflows that clients name there are then started on
 * that cluster, with every field in the bytes in which it came.
 */
import type { Problem } from 'carillon/internal/base';
import { assert, ServiceError } from 'carillon/internal/base';
import type { ScheduleAction } from 'carillon/internal/service';
import { readAction } from 'carillon/internal/service';
import { base64, contentOf, field, fieldsOf } from './fields.ts';
import { typeNamed, workflowStartType } from './protocol.ts';
import { predefinedAttributes } from './search-attributes/system-attributes.ts';

/** Where the workflows of a namespace are started. */
export interface ClusterTarget {
  /** The name of a cluster in the configuration. Default `default`. */
  readonly cluster?: string;
  /** The namespace on the cluster. Default that of the same name. */
  readonly namespace?: string;
}

/** Clusters by the names of namespaces here. */
export type ClusterTargets = Readonly<Record<string, ClusterTarget>>;

/** Fields of a start that the scheduler decides, or that stand beside the others. */
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
/** The numbers in a request to start by those in a schedule's action. */
const handedOn = new Map(
  workflowStartType.fieldsArray.flatMap(({ name, id }) => {
    const number = ownFields.has(name) ? undefined : requestNumbers.get(name);
    return number === undefined ? [] : [[id, number] as const];
  }),
);
const attributesNumber = workflowStartType.fieldsArray.find(({ name }) => name === 'searchAttributes')?.id;

/** The action as work on a cluster. `bytes` are those of the client's `NewWorkflowExecutionInfo`. */
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
    const as = handedOn.get(number);
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
