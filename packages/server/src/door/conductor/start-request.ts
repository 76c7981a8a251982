/** Conductor's request to start a workflow: `StartWorkflowRequest`. Unknown fields are dropped, as in the original. */
import { readInline } from '../../flow/inline-definition.ts';
import type { Fields } from '../../flow/read-fields.ts';
import { isFields, type Reading } from '../../flow/read-fields.ts';
import { definitionJson } from './flow/definition-json.ts';

/** Fields that were given as null are left out of answers, while an absent map is empty and an absent priority 0. */
export interface StartRequest {
  readonly name: string;
  readonly version?: number;
  readonly correlationId?: string;
  readonly input?: Fields;
  readonly taskToDomain?: Readonly<Record<string, string | null>>;
  readonly workflowDef?: Fields;
  readonly externalInputPayloadStoragePath?: string;
  readonly priority?: number;
  readonly createdBy?: string;
  readonly idempotencyKey?: string;
  readonly idempotencyStrategy?: string;
}

export const idempotencyStrategies = ['FAIL', 'RETURN_EXISTING', 'FAIL_ON_RUNNING'] as const;
const largestPriority = 99;
/** The longest name of a handler. */
const longestName = 1000;

export function readStartRequest(given: unknown, reading: Reading): StartRequest | undefined {
  const at = 'startWorkflowRequest';
  if (given === null || given === undefined) return reading.problem(at, 'startWorkflowRequest is required');
  if (!isFields(given)) return reading.problem(at, 'must be an object with the name of a workflow');
  const text = (field: string) => reading.text(given[field], `${at}.${field}`);
  const name = text('name');
  if (name === undefined || name.trim() === '') {
    return reading.problem(`${at}.name`, 'the name of the workflow is required');
  }
  if (name.length > longestName)
    reading.problem(`${at}.name`, `at most ${longestName} characters are allowed`);
  const version = reading.whole(given.version, `${at}.version`, 'int');
  const priority = given.priority === undefined ? 0 : reading.whole(given.priority, `${at}.priority`, 'int');
  if (priority !== undefined && (priority < 0 || priority > largestPriority))
    reading.problem(`${at}.priority`, `must be between 0 and ${largestPriority}`);
  const input = reading.map(given.input, `${at}.input`);
  const domains = readDomains(given.taskToDomain, `${at}.taskToDomain`, reading);
  const fields = {
    version,
    correlationId: text('correlationId'),
    input: input === null ? undefined : (input ?? {}),
    taskToDomain: domains === null ? undefined : (domains ?? {}),
    workflowDef: readDefinition(given.workflowDef, `${at}.workflowDef`, reading),
    externalInputPayloadStoragePath: text('externalInputPayloadStoragePath'),
    createdBy: text('createdBy'),
    idempotencyKey: text('idempotencyKey'),
    idempotencyStrategy: reading.oneOf(
      given.idempotencyStrategy,
      `${at}.idempotencyStrategy`,
      idempotencyStrategies,
    ),
    priority,
  };
  return { name, ...withoutAbsent(fields) };
}

/** The definition in the request, with defaults for the fields that it leaves out. */
function readDefinition(given: unknown, path: string, reading: Reading): Fields | undefined {
  const sent = reading.map(given, path);
  if (sent === undefined || sent === null) return undefined;
  const { definition, problems } = readInline(sent);
  for (const problem of problems) reading.problems.push({ ...problem, path: `${path}.${problem.path}` });
  if (definition === undefined) return undefined;
  const { name, ...shown } = definitionJson(definition) as Fields;
  return name === '' ? shown : { name, ...shown };
}

function readDomains(given: unknown, path: string, reading: Reading): StartRequest['taskToDomain'] | null {
  const domains = reading.map(given, path);
  if (domains === null || domains === undefined) return domains as null | undefined;
  return Object.fromEntries(
    Object.entries(domains).map(([task, domain]) => [task, reading.text(domain, `${path}.${task}`) ?? null]),
  );
}

/** The fields that have a value. */
export function withoutAbsent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Only fields with a value are left, which is what the type says.
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
