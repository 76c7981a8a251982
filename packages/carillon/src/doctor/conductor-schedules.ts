/** Converts schedules that a Conductor server lists to our own, each with a proof that it runs at the same times. */
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { addTime, day, formatInstant, instant } from '../base/time.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import type { CronEntry } from '../spec/index.ts';
import { compileSpec, findZone, parseSpringCron } from '../spec/index.ts';
import type { Proof } from './crontab-schedules.ts';
import { plainSpringTimes } from './plain-spring.ts';

export interface ConductorRemark {
  readonly name: string;
  readonly level: 'error' | 'warning' | 'info';
  readonly message: string;
}

export interface ConductorImport {
  readonly id: string;
  readonly crons: readonly CronEntry[];
  readonly input: ScheduleInput;
  readonly proof: Proof;
}

export interface ConductorImports {
  readonly imported: readonly ConductorImport[];
  readonly remarks: readonly ConductorRemark[];
}

export interface ConductorImportOptions {
  readonly now: Instant;
  /** The number of times to compare per cron text. */
  readonly compare: number;
}

export type ConductorDocument = Readonly<Record<string, unknown>>;

/** The schedules of an export: a list, a page of a search, or one schedule. Undefined when it is none of these. */
export function conductorSchedules(document: unknown): readonly ConductorDocument[] | undefined {
  const { results } = isFields(document) ? document : {};
  const list = Array.isArray(document) ? document : Array.isArray(results) ? results : [document];
  return list.every((item) => isFields(item) && 'name' in item)
    ? (list as readonly ConductorDocument[])
    : undefined;
}

export function importConductor(
  schedules: readonly ConductorDocument[],
  options: ConductorImportOptions,
  told: (done: number) => void = () => {},
): ConductorImports {
  const imported: ConductorImport[] = [];
  const remarks: ConductorRemark[] = [];
  for (const [index, schedule] of schedules.entries()) {
    told(index);
    const found = importOne(schedule, options, remarks);
    if (found !== undefined) imported.push(found);
  }
  return { imported, remarks };
}

function importOne(
  schedule: ConductorDocument,
  options: ConductorImportOptions,
  remarks: ConductorRemark[],
): ConductorImport | undefined {
  const name = String(schedule.name);
  const say = (level: ConductorRemark['level'], message: string) =>
    void remarks.push({ name, level, message });
  const request = isFields(schedule.startWorkflowRequest) ? schedule.startWorkflowRequest : {};
  const crons = cronsOf(schedule);
  const bad = crons.filter(
    ({ text, zone = '' }) => !parseSpringCron(text).ok || findZone(zone) === undefined,
  );
  if (typeof request.name !== 'string' || request.name === '') {
    say('error', 'it names no workflow, so it never ran; left out');
    return undefined;
  }
  if (crons.length === 0 || bad.length > 0) {
    const texts = bad.map(({ text, zone }) => `'${text}' in ${zone}`).join(', ');
    say(
      'error',
      `it has no cron that can be read, so it never ran: ${texts === '' ? 'none' : texts}; left out`,
    );
    return undefined;
  }
  for (const field of withoutCounterpart) {
    if (isSaid(request[field]))
      say('warning', `startWorkflowRequest.${field} has no counterpart and is left out`);
  }
  if (new Set(crons.map((entry) => JSON.stringify(entry))).size < crons.length) {
    say('warning', 'an entry is listed twice: its times run once here');
  }
  if (schedule.scheduleEndTime === 0)
    say('info', 'its end is 0, which is no bound here; there it never fired');
  return { id: name, crons, input: inputOf(schedule, request, crons), proof: prove(crons, options) };
}

/** Fields of the request that a handler does not have. */
const withoutCounterpart = [
  'version',
  'correlationId',
  'taskToDomain',
  'workflowDef',
  'externalInputPayloadStoragePath',
  'idempotencyKey',
];

function isSaid(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return false;
  return !isFields(value) || Object.keys(value).length > 0;
}

function cronsOf({ cronExpression, zoneId, cronSchedules }: ConductorDocument): readonly CronEntry[] {
  const entry = (text: unknown, zone: unknown): CronEntry => ({
    text: String(text),
    dialect: 'spring',
    zone: typeof zone === 'string' && zone !== '' ? zone : 'UTC',
  });
  if (Array.isArray(cronSchedules) && cronSchedules.length > 0) {
    return cronSchedules.map((each) =>
      isFields(each) ? entry(each.cronExpression, each.zoneId) : entry('', 'UTC'),
    );
  }
  return typeof cronExpression === 'string' && cronExpression.trim() !== ''
    ? [entry(cronExpression, zoneId)]
    : [];
}

function inputOf(
  schedule: ConductorDocument,
  request: ConductorDocument,
  crons: readonly CronEntry[],
): ScheduleInput {
  const input = isFields(request.input) ? request.input : {};
  const isCatchingUp = schedule.runCatchupScheduleInstances === true;
  const reason = typeof schedule.pausedReason === 'string' ? schedule.pausedReason : '';
  const startAt = boundOf(schedule.scheduleStartTime);
  const endAt = boundOf(schedule.scheduleEndTime);
  const unique = [...new Map(crons.map((entry) => [JSON.stringify(entry), entry])).values()];
  return {
    spec: { cron: unique, dst: { gap: 'skip', fold: 'both' }, ...given({ startAt, endAt }) },
    run: String(request.name),
    input,
    inject: {
      ...('scheduledTime' in input ? {} : { scheduledTime: 'scheduledAt' as const }),
      ...('executionTime' in input ? {} : { executionTime: 'startedAt' as const }),
      _startedByScheduler: 'schedule',
      _scheduledTime: 'scheduledAt',
      _executedTime: 'startedAt',
      _executionId: 'runId',
      _schedulerCron: 'cron',
    },
    ...(typeof request.priority === 'number' && request.priority !== 0 ? { priority: request.priority } : {}),
    overlap: 'allowAll',
    catchup: 'unlimited',
    ...(isCatchingUp ? { missed: 'all', catchupPace: '100ms' } : { missed: 'oldest' }),
    idleClose: 0,
    ...(schedule.paused === true ? { paused: reason === '' ? true : reason } : {}),
    ...(typeof schedule.description === 'string' && schedule.description !== ''
      ? { description: schedule.description }
      : {}),
  };
}

function boundOf(value: unknown): Instant | undefined {
  const time = Number(value ?? 0);
  return Number.isFinite(time) && time > 0 ? instant(time) : undefined;
}

/** Years in which times are looked for: a rare cron has few of them. */
const comparedDays = 5 * 366;

function prove(crons: readonly CronEntry[], { now, compare }: ConductorImportOptions): Proof {
  let times = 0;
  for (const entry of crons) {
    const { text, zone: name = 'UTC' } = entry;
    const zone = findZone(name);
    if (zone === undefined) continue;
    const window = { after: now, to: addTime(now, comparedDays * day), most: compare };
    const expected = plainSpringTimes(text, zone, window) ?? [];
    const compiled = compileSpec({ cron: [entry], dst: { gap: 'skip', fold: 'both' } });
    const found = compiled.between({ from: window.after, to: window.to }, compare).times;
    const count = Math.max(expected.length, found.length);
    for (let index = 0; index < count; index += 1) {
      const ours = found[index]?.nominal;
      if (ours === expected[index]) continue;
      const said = (at: Instant | undefined) => (at === undefined ? 'nothing more' : formatInstant(at));
      return {
        times,
        difference: `'${text}': ${said(ours)} here, ${said(expected[index])} by the second reading`,
      };
    }
    times += count;
  }
  return { times };
}

function isFields(value: unknown): value is ConductorDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
