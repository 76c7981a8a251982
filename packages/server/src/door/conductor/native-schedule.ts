/** Shows schedules of other doors in Conductor's format, as far as it can express them. */
import { redactAction, runKind, type ScheduleAction } from 'carillon/internal/service';
import type { CronEntry, ScheduleSpec } from 'carillon/spec';
import { parseSpringCron } from 'carillon/spec';
import { isFields } from '../../flow/read-fields.ts';
import type { StartRequest } from './start-request.ts';
import { withoutAbsent } from './start-request.ts';
import type { When } from './when.ts';

export interface Shown<T> {
  readonly value: T;
  /** The parts that Conductor cannot express, as descriptions for the reader. */
  readonly inexpressible: readonly string[];
}

const sayable = new Set(['cron', 'zone', 'startAt', 'endAt', 'dst', 'jitterMs']);

export function nativeWhen(spec: ScheduleSpec): Shown<When> {
  const { cron = [], zone = 'UTC', startAt, endAt } = spec;
  const bounds = withoutAbsent({
    scheduleStartTime: startAt as number | undefined,
    scheduleEndTime: endAt as number | undefined,
  });
  const texts = cron.map((entry) => ({ text: springText(entry), zoneId: entry.zone ?? zone, entry }));
  const inexpressible = [
    ...Object.keys(spec).filter((field) => !sayable.has(field)),
    ...texts
      .filter(({ text }) => text === undefined)
      .map(({ entry }) => `the cron ${JSON.stringify(entry.text)}`),
  ];
  const said = texts.flatMap(({ text, zoneId }) =>
    text === undefined ? [] : [{ cronExpression: text, zoneId }],
  );
  const [only] = said;
  if (said.length === 1 && only !== undefined)
    return { value: { ...only, cronSchedules: [], ...bounds }, inexpressible };
  return { value: { zoneId: zone, cronSchedules: said, ...bounds }, inexpressible };
}

/** The text in the dialect of Conductor; undefined when it has no such text. */
function springText({ text, dialect = 'unix' }: CronEntry): string | undefined {
  const fields = text.trim().split(/ +/);
  const isShort = dialect !== 'spring' && fields.length === 5;
  // When both kinds of days are restricted, a unix cron text means either of them, and Conductor both together.
  const [days = '', , weekdays = ''] = fields.slice(isShort ? 2 : 3);
  if (dialect === 'unix' && !days.startsWith('*') && !weekdays.startsWith('*') && !text.startsWith('@'))
    return undefined;
  const spring = isShort ? `0 ${text.trim()}` : text;
  return parseSpringCron(spring).ok ? spring : undefined;
}

export function nativeRequest(action: ScheduleAction): Shown<StartRequest> {
  const { name, input, kind } = redactAction(action);
  const priority = Math.min(99, Math.max(0, action.priority));
  const isMap = isFields(input);
  const inexpressible = [
    ...(kind === runKind.kind ? [] : [`it is of the kind '${kind}'`]),
    ...(isMap || input === null ? [] : ['its input is not an object']),
  ];
  return { value: { name, input: isMap ? input : {}, taskToDomain: {}, priority }, inexpressible };
}
