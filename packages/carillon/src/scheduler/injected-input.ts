/** The input of a run whose action asks for keys that describe the start. */
import type { Instant } from '../base/time.ts';
import { compileSpec } from '../spec/index.ts';
import type { Injected, ScheduleDefinition } from './definition.ts';

export interface Start {
  readonly schedule: string;
  readonly now: Instant;
  readonly nominal: Instant;
  readonly runId: string;
}

export function injectedInput(definition: ScheduleDefinition, start: Start): unknown {
  const { input, inject = {} } = definition.action;
  if (typeof input !== 'object' || Array.isArray(input)) return input;
  const keys = Object.entries(inject).map(([key, what]) => [key, saidOf(what, definition, start)]);
  return { ...input, ...Object.fromEntries(keys) };
}

function saidOf(what: Injected, definition: ScheduleDefinition, start: Start): unknown {
  switch (what) {
    case 'schedule':
      return start.schedule;
    case 'scheduledAt':
      return start.nominal;
    case 'startedAt':
      return start.now;
    case 'runId':
      return start.runId;
    case 'cron':
      return cronBehind(definition, start.nominal);
  }
}

/** The first cron entry that names the time; the first one of all for a time that none names, as a trigger may ask for. */
function cronBehind({ spec, seed }: ScheduleDefinition, nominal: Instant): string | null {
  const { cron = [], zone = 'UTC', dst } = spec;
  const [first] = cron;
  if (first === undefined) return null;
  const rule = dst === undefined ? {} : { dst };
  const named =
    cron.length === 1
      ? first
      : cron.find((entry) => compileSpec({ cron: [entry], zone, ...rule }, { seed }).matches(nominal));
  const { text, zone: own = zone } = named ?? first;
  return `${text} ${own}`;
}
