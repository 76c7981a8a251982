/** `carillon import conductor`: from a file and from a server, with proofs, remarks and equal schedules afterwards. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addTime, day, instant } from '../../packages/carillon/src/base/time.ts';
import { plainSpringTimes } from '../../packages/carillon/src/doctor/plain-spring.ts';
import { compileSpec, findZone } from '../../packages/carillon/src/spec/index.ts';
import { DoorStage } from '../door/door-stage.ts';
import { carillon } from './command-stage.ts';

const daily = {
  name: 'daily',
  cronExpression: '0 0 9 ? * MON-FRI',
  zoneId: 'Europe/Berlin',
  startWorkflowRequest: { name: 'work', version: 3, correlationId: 'c', input: { a: 1 }, priority: 5 },
  scheduleStartTime: 0,
  scheduleEndTime: 0,
  runCatchupScheduleInstances: false,
  paused: true,
  pausedReason: 'holidays',
  cronSchedules: [],
};
const listed = {
  name: 'listed',
  startWorkflowRequest: { name: 'work', input: { scheduledTime: 'mine' } },
  cronSchedules: [
    { cronExpression: '0 30 2 L * ?', zoneId: 'America/New_York' },
    { cronExpression: '@hourly', zoneId: 'UTC' },
  ],
  runCatchupScheduleInstances: true,
  scheduleEndTime: Date.UTC(2030, 0, 1),
};
const dead = { name: 'dead', cronExpression: 'not a cron', startWorkflowRequest: { name: 'work' } };

describe('carillon import conductor', () => {
  test('prints a manifest, proves every time and lists what has no counterpart', async () => {
    const said = await carillon(['import', 'conductor', '-', '--compare', '200', '-q'], {
      input: JSON.stringify([daily, listed]),
    });
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('catchup: unlimited');
    expect(said.stderr).toContain('startWorkflowRequest.version has no counterpart');
    expect(said.stderr).toContain('startWorkflowRequest.correlationId has no counterpart');
    expect(said.stderr).toMatch(/Proved: 2 schedules, \d+ fire times, equal/);
  });

  test('a schedule that never ran is an error, and then nothing is applied', async () => {
    const said = await carillon(['import', 'conductor', '-', '--apply', '-q'], {
      input: JSON.stringify([daily, dead]),
    });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain("'not a cron' in UTC");
    expect(said.stderr).toContain('Nothing was changed.');
  });

  test.each(['{', '{"a":1}', '"text"'])('refuses what is no list of schedules: %s', async (input) => {
    expect((await carillon(['import', 'conductor', '-'], { input })).code).toBe(2);
  });

  test('from one server to another: the door of Conductor shows the same schedules', async () => {
    await using source = await DoorStage.open();
    await using target = await DoorStage.open();
    for (const body of [daily, listed]) {
      expect((await source.raw('/api/scheduler/schedules', { body })).status).toBe(200);
    }
    const said = await carillon(
      ['import', 'conductor', source.server.url, '--apply', '-q', '--compare', '50'],
      {
        url: target.server.url,
      },
    );
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('Proved: 2 schedules')]);
    const seen = async (stage: DoorStage) => {
      const { body } = await stage.raw('/api/scheduler/schedules');
      return body.map((each: Record<string, unknown>) => {
        const { createTime: _, updatedTime: __, startWorkflowRequest, ...rest } = each;
        const { name, input, priority } = startWorkflowRequest as Record<string, unknown>;
        return { ...rest, work: { name, input, priority } };
      });
    };
    expect(await seen(target)).toEqual(await seen(source));
  });
});

test('the second reading of the cron agrees with recorded slots of the original', () => {
  const { cases } = JSON.parse(
    readFileSync(new URL('../golden/conductor/zone-slots.json', import.meta.url), 'utf8'),
  ) as {
    readonly cases: readonly { readonly cron: string; readonly zone: string; readonly start: number }[];
  };
  for (const { cron, zone, start } of cases.filter((_, index) => index % 4 === 0)) {
    const after = addTime(instant(start), -500);
    const window = { after, to: addTime(after, 400 * day), most: 5 };
    const compiled = compileSpec({
      cron: [{ text: cron, dialect: 'spring', zone }],
      dst: { gap: 'skip', fold: 'both' },
    });
    const ours = compiled.between({ from: after, to: window.to }, 5).times.map(({ nominal }) => nominal);
    const zoneFound = findZone(zone);
    expect([cron, zone, zoneFound && plainSpringTimes(cron, zoneFound, window)]).toEqual([cron, zone, ours]);
  }
});
