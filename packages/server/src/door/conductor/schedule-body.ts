/** Reads the body of a save: `WorkflowSchedule`. Fields that only the server sets are checked and ignored; unknown ones are ignored. */
import { ServiceError } from 'carillon/internal/base';
import { largestPayload, longestId, payloadProblems } from 'carillon/internal/service';
import { jsonText } from '../../flow/json-text.ts';
import { isFields, Reading } from '../../flow/read-fields.ts';
import type { StartRequest } from './start-request.ts';
import { readStartRequest } from './start-request.ts';
import { readTags, type Tag } from './tag.ts';
import type { When } from './when.ts';
import { checkWhen, readWhen } from './when.ts';

export interface SentSchedule {
  readonly name: string;
  readonly when: When;
  readonly request: StartRequest;
  readonly runCatchupScheduleInstances: boolean;
  readonly paused: boolean;
  readonly pausedReason: string | undefined;
  readonly description: string | undefined;
  /** Absent: the stored tags stay. */
  readonly tags: readonly Tag[] | undefined;
}

/** Limits of texts that every change of a schedule rewrites. */
const longestTexts = { description: 10_000, pausedReason: 1000 };

/** The input of every run is a copy of this, so it is bounded before anything reads it. */
function checkPayload(request: unknown, reading: Reading): void {
  const path = 'startWorkflowRequest';
  const [problem] = payloadProblems({ input: request });
  if (problem !== undefined) throw ServiceError.invalid([{ ...problem, path }]);
  const size = JSON.stringify(request)?.length ?? 0;
  if (size > largestPayload) reading.problem(path, `${size} bytes; at most ${largestPayload} are allowed`);
}

/** Everything but the times is checked here: those may be what the door showed of a schedule that it cannot express. */
export function readScheduleBody(body: unknown, zone: string): SentSchedule {
  if (!isFields(body)) {
    const message =
      'the body must be a JSON object: a schedule with name, cronExpression and startWorkflowRequest';
    throw ServiceError.invalid([{ path: '', reason: 'NOT_AN_OBJECT', message }]);
  }
  const reading = new Reading();
  const name = reading.text(body.name, 'name') ?? '';
  if (name.trim() === '' && reading.problems.length === 0)
    reading.problem('name', 'Schedule name is required');
  // Clients treat these names as steps in a path, so no request could reach such a schedule.
  if (name === '.' || name === '..')
    reading.problem('name', `'${name}' cannot be part of an address; give another name`);
  if (name.length > longestId) {
    reading.problem('name', `a name has at most ${longestId} characters; this one has ${name.length}`);
  }
  for (const field of ['createTime', 'updatedTime', 'nextRunTime']) reading.whole(body[field], field);
  for (const field of ['createdBy', 'updatedBy']) reading.text(body[field], field);
  checkPayload(body.startWorkflowRequest, reading);
  const when = readWhen(body, zone, reading);
  const request = readStartRequest(body.startWorkflowRequest, reading);
  for (const [field, longest] of Object.entries(longestTexts)) {
    const { length } = jsonText(body[field] ?? '');
    if (length > longest) reading.problem(field, `${length} characters; at most ${longest} are allowed`);
  }
  const sent = {
    name,
    when,
    runCatchupScheduleInstances: reading.flag(
      body.runCatchupScheduleInstances,
      'runCatchupScheduleInstances',
    ),
    paused: reading.flag(body.paused, 'paused'),
    pausedReason: reading.text(body.pausedReason, 'pausedReason'),
    description: reading.text(body.description, 'description'),
    tags: body.tags === undefined || body.tags === null ? undefined : readTags(body.tags, reading),
  };
  if (reading.problems.length > 0 || request === undefined) {
    // All problems are reported at once, those of the times too.
    checkWhen(when, reading);
    throw ServiceError.invalid(reading.problems);
  }
  return { ...sent, request };
}
