/** What a schedule starts, in Conductor's words: `StartWorkflowRequest`. Unknown fields are dropped, as the original does. */
import type { Fields } from './coercion.ts';
import { isFields, type Reading } from './coercion.ts';

/** A map that was given as null stays out of the answers, while an absent one is empty. */
export interface StartRequest {
  readonly name: string;
  readonly version?: number;
  readonly correlationId?: string;
  readonly input?: Fields;
  readonly taskToDomain?: Readonly<Record<string, string | null>>;
  readonly workflowDef?: Fields;
  readonly externalInputPayloadStoragePath?: string;
  readonly priority: number;
  readonly createdBy?: string;
  readonly idempotencyKey?: string;
  readonly idempotencyStrategy?: string;
}

const strategies = ['FAIL', 'RETURN_EXISTING', 'FAIL_ON_RUNNING'];
const largestPriority = 99;
/** The longest name of a handler. */
const longestName = 1000;

/** A definition that comes with the request has these fields where it names no others. */
const emptyDefinition: Fields = {
  createTime: 0,
  updateTime: 0,
  version: 1,
  tasks: [],
  inputParameters: [],
  outputParameters: {},
  schemaVersion: 2,
  restartable: true,
  workflowStatusListenerEnabled: false,
  timeoutPolicy: 'ALERT_ONLY',
  timeoutSeconds: 0,
  variables: {},
  inputTemplate: {},
  enforceSchema: true,
  metadata: {},
  maskedFields: [],
};

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
  const priority = reading.whole(given.priority, `${at}.priority`, 'int') ?? 0;
  if (priority < 0 || priority > largestPriority) {
    reading.problem(`${at}.priority`, `must be between 0 and ${largestPriority}`);
  }
  const strategy = text('idempotencyStrategy');
  if (strategy !== undefined && !strategies.includes(strategy)) {
    reading.problem(`${at}.idempotencyStrategy`, `must be one of ${strategies.join(', ')}`);
  }
  const input = reading.map(given.input, `${at}.input`);
  const domains = readDomains(given.taskToDomain, `${at}.taskToDomain`, reading);
  const definition = reading.map(given.workflowDef, `${at}.workflowDef`);
  const fields = {
    version,
    correlationId: text('correlationId'),
    input: input === null ? undefined : (input ?? {}),
    taskToDomain: domains === null ? undefined : (domains ?? {}),
    workflowDef: isFields(definition) ? { ...emptyDefinition, ...definition } : undefined,
    externalInputPayloadStoragePath: text('externalInputPayloadStoragePath'),
    createdBy: text('createdBy'),
    idempotencyKey: text('idempotencyKey'),
    idempotencyStrategy: strategy,
  };
  return { name, priority, ...withoutAbsent(fields) };
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
