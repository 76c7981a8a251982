/**
 * Converts what BullMQ keeps in Redis about repeated jobs to schedules. Two forms are read: job schedulers, whose fields are a hash, and
 * the repeatable jobs of older versions, whose fields are the parts of their key (or a hash without a template).
 */
import { bullmqKind } from '../action/bullmq-kind.ts';
import { given } from '../base/given.ts';
import type { Instant } from '../base/time.ts';
import { instant, second } from '../base/time.ts';
import type { ScheduleInput } from '../service/schedule-input.ts';
import { readScheduleInput } from '../service/schedule-input.ts';
import type { ScheduleSpec } from '../spec/index.ts';

/** What Redis has about one repeated job. */
export interface BullmqRow {
  readonly queue: string;
  /** Its member of the sorted set of repeated jobs. */
  readonly key: string;
  /** The hash of a job scheduler; empty for a repeatable job of an older version. */
  readonly fields: Readonly<Record<string, string>>;
  /** The job that waits for the next time, which has data and options where the hash has none. */
  readonly job?: { readonly data?: string; readonly opts?: string };
  /** The zone of the processes that made it, for a pattern without one. */
  readonly zone: string;
}

export interface BullmqRemark {
  readonly name: string;
  readonly level: 'error' | 'warning' | 'info';
  readonly message: string;
}

export interface BullmqSchedule {
  readonly id: string;
  readonly input: ScheduleInput;
  readonly spec: ScheduleSpec;
  /** The words of BullMQ, for its own reading of them. */
  readonly repeat: BullmqRepeat;
}

export interface BullmqRepeat {
  readonly pattern?: string;
  readonly everyMs?: number;
  readonly offsetMs?: number;
  readonly zone: string;
  readonly startAt?: Instant;
  readonly endAt?: Instant;
}

export interface BullmqReading {
  readonly schedule?: BullmqSchedule;
  readonly remarks: readonly BullmqRemark[];
}

/** The options of a job that mean the same here. */
const sameOptions = ['attempts', 'backoff', 'lifo', 'priority', 'sizeLimit', 'stackTraceLimit'] as const;
/** Options that BullMQ writes itself, or that say when the job runs. */
const ownOptions = new Set([
  'repeat',
  'jobId',
  'delay',
  'timestamp',
  'prevMillis',
  'repeatJobKey',
  'telemetry',
  'tm',
  'count',
]);
/** Names that BullMQ shortens in Redis. */
const shortNames: Readonly<Record<string, string>> = {
  kl: 'keepLogs',
  de: 'deduplication',
  fpof: 'failParentOnFailure',
};
/** What BullMQ writes when a job says nothing about retries. */
const defaults: Readonly<Record<string, unknown>> = { attempts: 0, priority: 0 };

export function readBullmqScheduler(row: BullmqRow): BullmqReading {
  const { queue, key } = row;
  const isOld = Object.keys(row.fields).length === 0;
  const fields = isOld ? fieldsOfKey(key) : row.fields;
  const id = isOld || /^[0-9a-f]{32}$/.test(key) ? [fields.name, fields.id].filter(Boolean).join('-') : key;
  const remarks: BullmqRemark[] = [];
  const tell = (level: BullmqRemark['level'], message: string) =>
    remarks.push({ name: id || key, level, message });
  const { beyondMs, ...repeat } = repeatOf(fields, row.zone);
  if (beyondMs > 0)
    tell(
      'info',
      `BullMQ runs it ${beyondMs} ms after whole seconds; here it runs, and is compared, at whole seconds`,
    );
  if (id === '' || (repeat.pattern === undefined) === (repeat.everyMs === undefined)) {
    tell('error', `its key '${key}' has neither a pattern nor an interval that can be read`);
    return { remarks };
  }
  if (repeat.pattern !== undefined && !fields.tz)
    tell('info', `it names no zone: BullMQ takes that of its process, here it is ${row.zone} (--zone)`);
  const data = fields.data ?? row.job?.data;
  const isScheduler = fields.ic !== undefined;
  if (data === undefined && !isScheduler)
    tell('warning', 'the data of its job was not found, because no job waits; its input is empty');
  const input: ScheduleInput = {
    ...whenOf(repeat),
    [bullmqKind.kind]: {
      queue,
      name: fields.name ?? id,
      ...given({ opts: optionsOf(fields.opts ?? row.job?.opts, tell) }),
    },
    input: parsed(data) ?? {},
    ...given({ remaining: remainingOf(fields) }),
    // BullMQ makes up for one missed time, the latest.
    missed: 'latest',
  };
  try {
    return { schedule: { id, input, spec: readScheduleInput(input).spec, repeat }, remarks };
  } catch (error) {
    tell('error', (error as Error).message);
    return { remarks };
  }
}

/** `name:id:end:zone:pattern`, where the last part may contain colons or be a number of milliseconds. */
function fieldsOfKey(key: string): Readonly<Record<string, string>> {
  const [name = '', id = '', endDate = '', tz = '', ...rest] = key.split(':');
  const last = rest.join(':');
  const when: Record<string, string> = /^\d+$/.test(last)
    ? { every: last }
    : last === ''
      ? {}
      : { pattern: last };
  return { name, id, ...(Number(endDate) > 0 ? { endDate } : {}), tz, ...when };
}

function repeatOf(
  fields: Readonly<Record<string, string>>,
  zone: string,
): BullmqRepeat & { readonly beyondMs: number } {
  const number = (text: string | undefined) =>
    text !== undefined && Number(text) > 0 ? Number(text) : undefined;
  const time = (text: string | undefined) => {
    const ms = number(text);
    return ms === undefined ? undefined : instant(ms);
  };
  const everyMs = number(fields.every);
  const offsetMs = number(fields.offset) ?? 0;
  const beyondMs = everyMs === undefined ? 0 : offsetMs % second;
  return {
    beyondMs,
    zone: fields.tz || zone,
    ...given({
      pattern: fields.pattern || undefined,
      everyMs,
      offsetMs: everyMs === undefined ? undefined : offsetMs - beyondMs,
      startAt: time(fields.startDate),
      endAt: time(fields.endDate),
    }),
  };
}

function whenOf({ pattern, everyMs, offsetMs, zone, startAt, endAt }: BullmqRepeat): ScheduleInput {
  const bounds = given({ startAt, endAt });
  if (pattern === undefined) return { ...given({ every: everyMs, offset: offsetMs }), ...bounds };
  // A time that the clock skips runs later by the size of the jump.
  return { cron: pattern, zone, dst: { gap: 'shift' }, ...bounds };
}

/** The actions that remain. BullMQ has already made and counted the next job, which is removed with its scheduler. */
function remainingOf({ limit, ic }: Readonly<Record<string, string>>): number | undefined {
  if (limit === undefined) return undefined;
  return Math.max(0, Number(limit) - Math.max(0, Number(ic ?? 1) - 1));
}

function optionsOf(
  text: string | undefined,
  tell: (level: BullmqRemark['level'], message: string) => void,
): object | undefined {
  const all = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
  const opts: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(all)) {
    if (ownOptions.has(name) || value === defaults[name] || value === undefined) continue;
    const isKept = name === 'removeOnComplete' || name === 'removeOnFail';
    if ((sameOptions as readonly string[]).includes(name)) opts[name] = value;
    else if (isKept && typeof value === 'object' && value !== null && 'age' in value) opts[name] = value;
    else
      tell(
        'warning',
        `the job option ${shortNames[name] ?? name} has no counterpart: ${JSON.stringify(value)}`,
      );
  }
  return Object.keys(opts).length === 0 ? undefined : opts;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
