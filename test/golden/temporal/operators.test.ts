/** Every operator on every type of field, with right and wrong literals: the same schedules, or the same code, as a real server. */
import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { GrpcStage } from '../../door/temporal/grpc-stage.ts';
import { deliberateOperators } from './deliberate.ts';
import { readGolden } from './golden.ts';

const { answers } = readGolden<{ answers: Readonly<Record<string, string>> }>('operators');
const namespace = 'default';
const payload = (value: unknown) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

/** By id: the search attributes. The second one is paused. */
const schedules: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Qa: {
    QK: 'red',
    QI: 1,
    QT: 'hello big world',
    QD: 1.5,
    QB: true,
    QM: '2026-01-01T00:00:00Z',
    QL: ['x', 'y'],
  },
  Qb: { QK: 'blue', QI: 2, QT: 'other words', QD: 2.5, QB: false, QM: '2026-02-01T00:00:00Z', QL: ['y'] },
  Qc: { QK: 'redder', QI: 10 },
  Qd: {},
};

test(`${Object.keys(answers).length} recorded queries`, async () => {
  await using stage = await GrpcStage.open();
  await stage.connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: { QK: 2, QI: 3, QT: 1, QD: 4, QB: 5, QM: 6, QL: 7 },
  });
  for (const [scheduleId, attributes] of Object.entries(schedules)) {
    const indexedFields = Object.entries(attributes).map(([name, value]) => [name, payload(value)]);
    await stage.service.createSchedule({
      namespace,
      scheduleId,
      requestId: randomUUID(),
      schedule: {
        spec: { interval: [{ interval: { seconds: 86_400 as never } }] },
        action: {
          startWorkflow: { workflowId: 'w', workflowType: { name: 't' }, taskQueue: { name: 'nobody' } },
        },
        state: { paused: scheduleId === 'Qb' },
      },
      searchAttributes: { indexedFields: Object.fromEntries(indexedFields) },
    });
  }
  const ask = async (query: string): Promise<string> => {
    const all = "ScheduleId STARTS_WITH 'Q'";
    try {
      const { schedules: found } = await stage.service.listSchedules({
        namespace,
        query: query.trim() === '' ? all : `${all} AND (${query})`,
      });
      return (found ?? [])
        .map(({ scheduleId }) => scheduleId)
        .sort()
        .join(',');
    } catch (error) {
      return status[(error as { code: number }).code] ?? '';
    }
  };
  const different: string[] = [];
  for (const [query, answer] of Object.entries(answers)) {
    const expected = deliberateOperators[query]?.ours ?? answer;
    const given = await ask(query);
    if (given !== expected) different.push(`${query}: ${given} instead of ${String(expected)}`);
  }
  expect(different).toEqual([]);
});
