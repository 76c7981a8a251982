/** Queries over schedules: the same schedules, the same count, or the same code as a real server. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GrpcStage } from '../../door/temporal/grpc-stage.ts';
import { until } from '../../support/until.ts';
import { deliberateQueries } from './deliberate.ts';
import { expand, readGolden } from './golden.ts';

type Answer = { readonly ids: string; readonly count: number } | { readonly code: keyof typeof status };

interface Queries {
  readonly searchAttributes: Readonly<Record<string, keyof typeof temporal.api.enums.v1.IndexedValueType>>;
  readonly schedules: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly cases: readonly { readonly query: string; readonly answer: Answer }[];
}

const golden = readGolden<Queries>('queries');
const stem = 'golden';
const namespace = 'default';
const defaultAction = {
  startWorkflow: { workflowId: 'golden-wf', workflowType: { name: 'quick' }, taskQueue: { name: 'tq' } },
};

let stage: GrpcStage;
const release = new AbortController();

beforeAll(async () => {
  stage = await GrpcStage.open({}, {}, (carillon) => {
    const aborted = new Promise<void>((resolve) => release.signal.addEventListener('abort', () => resolve()));
    carillon.handle('sleeper', async () => await aborted, { queue: 'tq' });
  });
  const types = Object.entries(golden.searchAttributes).map(([name, type]) => [
    name,
    temporal.api.enums.v1.IndexedValueType[`INDEXED_VALUE_TYPE_${snake(type)}` as never],
  ]);
  await stage.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(types),
  });
  for (const [letter, fields] of Object.entries(golden.schedules)) {
    const { spec, action, state, initialPatch, ...rest } = expand(fields, { stem }) as Record<string, object>;
    await stage.service.createSchedule({
      namespace,
      scheduleId: `${stem}-${letter}`,
      requestId: randomUUID(),
      schedule: { spec, action: action ?? defaultAction, ...(state === undefined ? {} : { state }) },
      ...(initialPatch === undefined ? {} : { initialPatch }),
      ...rest,
    } as never);
  }
  const h = { namespace, scheduleId: `${stem}-h` };
  await until(
    async () => ((await stage.service.describeSchedule(h)).info?.runningWorkflows ?? []).length > 0,
  );
  await stage.service.patchSchedule({
    ...h,
    requestId: randomUUID(),
    patch: { triggerImmediately: { overlapPolicy: 3 } },
  });
});
afterAll(async () => {
  release.abort();
  await stage[Symbol.asyncDispose]();
});

function snake(type: string): string {
  return type.replace(/(?!^)([A-Z])/g, '_$1').toUpperCase();
}

/** A time two days after the recording stands for one after the next hour and the next day, and before the next year. */
const recordedLater = '2026-11-30T00:00:00Z';
const later = new Date(Date.now() + 2 * 86_400_000).toISOString();

async function ask(query: string): Promise<Answer> {
  try {
    const { schedules } = await stage.service.listSchedules({ namespace, query });
    const { count } = await stage.service.countSchedules({ namespace, query });
    const ids = (schedules ?? []).map(({ scheduleId }) => scheduleId?.slice(stem.length + 1) ?? '');
    return { ids: ids.sort().join(''), count: Number(count) };
  } catch (error) {
    return { code: status[(error as { code: number }).code] as keyof typeof status };
  }
}

describe('the recorded queries', () => {
  test.each(golden.cases.map((each) => [each.query, each.answer] as const))('%s', async (query, real) => {
    const answer = await ask(query.replaceAll('STEM', stem).replace(recordedLater, later));
    const { message: _, ...expected } = real as Answer & { readonly message?: string };
    const deliberate = deliberateQueries[query];
    if (deliberate === undefined) expect(answer).toEqual(expected);
    else {
      expect(answer).toEqual(deliberate.ours);
      expect(deliberate.ours).not.toEqual(expected);
    }
  });
});
