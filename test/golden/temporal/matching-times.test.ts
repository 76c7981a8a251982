/** ListScheduleMatchingTimes: the times of a real server, jitter included, to the millisecond. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ScheduleDefinition } from '../../../packages/carillon/src/scheduler/definition.ts';
import { matchingTimes } from '../../../packages/server/src/door/temporal/matching-times.ts';
import { readSpec } from '../../../packages/server/src/door/temporal/spec-message.ts';
import { GrpcStage } from '../../door/temporal/grpc-stage.ts';
import { at } from '../../spec/vectors.ts';
import { deliberateTimes } from './deliberate.ts';
import { expand, readGolden } from './golden.ts';

interface Window {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  readonly times?: readonly number[];
  readonly first?: readonly number[];
  readonly last?: number;
  readonly sha1?: string;
}

interface Recorded {
  readonly schedule: string;
  readonly spec: object;
  readonly windows: readonly Window[];
  readonly canonical?: object;
}

const { namespaceId, schedules } = readGolden<{
  readonly namespaceId: string;
  readonly schedules: readonly Recorded[];
}>('matching-times');

let stage: GrpcStage;
beforeAll(async () => {
  stage = await GrpcStage.open();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** The jitter depends on the namespace's id, so the door's own function gets the definition with the recorded one. */
async function timesOf(
  { schedule, spec: given }: Recorded,
  { from, to }: Window,
): Promise<readonly number[]> {
  const { spec } = readSpec(expand(given, { stem: '' }) as never);
  const definition = { spec, seed: `${namespaceId}-${schedule}` } as ScheduleDefinition;
  return await matchingTimes(definition, { from: at(from), to: at(to) }, new AbortController().signal);
}

function summary(times: readonly number[]): Omit<Window, 'from' | 'to'> {
  const sha1 = createHash('sha1').update(times.join(',')).digest('hex');
  return { count: times.length, first: times.slice(0, 40), last: times.at(-1) ?? 0, sha1 };
}

/** Without empty lists; times and durations in the form of the recording. */
function comparable(spec: object): unknown {
  return JSON.parse(JSON.stringify(spec), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { seconds, nanos } = value as { seconds?: string | number; nanos?: number };
    if (seconds !== undefined || nanos !== undefined) return `${Number(seconds ?? 0)} s ${nanos ?? 0} ns`;
    return Object.fromEntries(
      Object.entries(value).filter(([, each]) => !(Array.isArray(each) && each.length === 0)),
    );
  });
}

const cases = schedules.flatMap((each) => each.windows.map((window) => [each, window] as const));

test.each(cases.map(([each, window]) => [each.schedule, window.from, window.to, each, window] as const))(
  '%s from %s to %s',
  async (name, from, _, each, window) => {
    const found = await timesOf(each, window);
    const { from: _from, to: _to, times, ...recorded } = window;
    const isDeliberate = deliberateTimes[`${name} ${from}`] !== undefined;
    const answer = times === undefined ? summary(found) : { count: found.length, times: found };
    const wanted = times === undefined ? recorded : { ...recorded, times };
    if (isDeliberate) expect(answer).not.toEqual(wanted);
    else expect(answer).toEqual(wanted);
  },
);

test.each(schedules.map((each) => [each.schedule, each] as const))(
  '%s is described as recorded',
  async (name, each) => {
    if (each.canonical === undefined) return;
    const named = { namespace: 'default', scheduleId: name };
    await stage.service.createSchedule({
      ...named,
      requestId: randomUUID(),
      schedule: {
        spec: expand(each.spec, { stem: '' }) as object,
        action: { startWorkflow: { workflowId: 'w', workflowType: { name: 'w' }, taskQueue: { name: 'q' } } },
        state: { paused: true },
      },
    });
    const { schedule } = await stage.service.describeSchedule(named);
    const shown = comparable(schedule?.spec ?? {});
    const recorded = comparable(each.canonical);
    if (deliberateTimes[`${name} described`] === undefined) expect(shown).toEqual(recorded);
    else expect(shown).not.toEqual(recorded);
  },
);
