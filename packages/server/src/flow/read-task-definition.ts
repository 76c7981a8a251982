/** Reads and checks the definition of a task type. */
import type { Problem } from 'carillon/internal/base';
import { given } from 'carillon/internal/base';
import type { RetryLogic, TaskDefinition, TaskTimeoutPolicy } from './definition.ts';
import { assumedTask } from './definition.ts';
import { jsonText } from './json-text.ts';
import { isFields, Reading } from './read-fields.ts';

const retryLogics: readonly RetryLogic[] = ['FIXED', 'EXPONENTIAL_BACKOFF', 'LINEAR_BACKOFF'];
const timeoutPolicies: readonly TaskTimeoutPolicy[] = ['RETRY', 'TIME_OUT_WF', 'ALERT_ONLY'];

export function readTaskDefinition(value: unknown): {
  readonly definition: TaskDefinition;
  readonly problems: readonly Problem[];
} {
  const reader = new Reading();
  const sent = isFields(value) ? value : {};
  if (!isFields(value)) reader.refuse('', 'WRONG_TYPE', 'a task definition must be an object');
  const name = reader.text(sent.name, 'name') ?? '';
  if (name === '') reader.refuse('name', 'REQUIRED', 'TaskDef name cannot be null or empty');
  const assumed = assumedTask(name);
  const whole = (field: keyof TaskDefinition & string, least: number, message: string): number => {
    const number = reader.whole(sent[field], field) ?? (assumed[field] as number);
    if (number < least) reader.refuse(field, 'TOO_SMALL', message);
    return number;
  };
  const definition: TaskDefinition = {
    name,
    retryCount: whole('retryCount', 0, 'TaskDef retryCount: 0 must be >= 0'),
    retryLogic: reader.oneOf(sent.retryLogic, 'retryLogic', retryLogics) ?? assumed.retryLogic,
    retryDelaySeconds: whole('retryDelaySeconds', 0, 'retryDelaySeconds must not be negative'),
    backoffScaleFactor: whole('backoffScaleFactor', 1, 'Backoff scale factor. Applicable for LINEAR_BACKOFF'),
    maxRetryDelaySeconds: whole('maxRetryDelaySeconds', 0, 'maxRetryDelaySeconds must not be negative'),
    timeoutSeconds: whole('timeoutSeconds', 0, 'timeoutSeconds must not be negative'),
    timeoutPolicy:
      reader.oneOf(sent.timeoutPolicy, 'timeoutPolicy', timeoutPolicies) ?? assumed.timeoutPolicy,
    responseTimeoutSeconds: whole(
      'responseTimeoutSeconds',
      1,
      `TaskDef responseTimeoutSeconds: ${jsonText(sent.responseTimeoutSeconds)} should be minimum 1 second`,
    ),
    pollTimeoutSeconds: whole('pollTimeoutSeconds', 0, 'TaskDef pollTimeoutSeconds: 0 must be >= 0'),
    totalTimeoutSeconds: whole('totalTimeoutSeconds', 0, 'totalTimeoutSeconds must not be negative'),
    backoffJitterMs: whole('backoffJitterMs', 0, 'backoffJitterMs must not be negative'),
    inputKeys: reader.texts(sent.inputKeys, 'inputKeys'),
    outputKeys: reader.texts(sent.outputKeys, 'outputKeys'),
    inputTemplate: reader.map(sent.inputTemplate, 'inputTemplate') ?? {},
    rateLimitPerFrequency: reader.whole(sent.rateLimitPerFrequency, 'rateLimitPerFrequency') ?? 0,
    rateLimitFrequencyInSeconds:
      reader.whole(sent.rateLimitFrequencyInSeconds, 'rateLimitFrequencyInSeconds') ?? 1,
    ...given({
      description: reader.text(sent.description, 'description'),
      ownerEmail: reader.text(sent.ownerEmail, 'ownerEmail'),
      concurrentExecLimit: reader.whole(sent.concurrentExecLimit, 'concurrentExecLimit'),
      isolationGroupId: reader.text(sent.isolationGroupId, 'isolationGroupId'),
      executionNameSpace: reader.text(sent.executionNameSpace, 'executionNameSpace'),
    }),
  };
  const { timeoutSeconds, responseTimeoutSeconds, totalTimeoutSeconds: total } = definition;
  if (timeoutSeconds > 0 && responseTimeoutSeconds > timeoutSeconds)
    reader.refuse(
      '',
      'RESPONSE_TIMEOUT_TOO_LONG',
      `TaskDef: ${name} responseTimeoutSeconds: ${responseTimeoutSeconds} must be less than timeoutSeconds: ${timeoutSeconds}`,
    );
  if (total > 0 && timeoutSeconds > total)
    reader.refuse(
      '',
      'TOTAL_TIMEOUT_TOO_SHORT',
      `TaskDef: ${name} timeoutSeconds: ${timeoutSeconds} must be less than or equal to totalTimeoutSeconds: ${total}`,
    );
  return { definition, problems: reader.problems };
}
