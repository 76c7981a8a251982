// Our scheduler and that of the published Conductor server on the same schedules, side by side: fire times and lateness.
import { setTimeout as sleep } from 'node:timers/promises';
import { tableText } from '../lib/report.mjs';
import { call } from '../lib/rest.mjs';
import { until } from '../lib/waiting.mjs';

const schedules = {
  'every-3s': { cronExpression: '*/3 * * * * *' },
  'every-5s': { cronExpression: '*/5 * * * * *' },
  'every-10s': { cronExpression: '*/10 * * * * *', zoneId: 'Asia/Kathmandu' },
  'catching-up': { cronExpression: '*/5 * * * * *', runCatchupScheduleInstances: true },
};
const observedMs = 60_000;

export const conductorBeside = {
  name: 'conductor-beside',
  about: 'both schedulers on the same schedules: fire times and lateness',
  run: async (stage) => {
    const theirs = await stage.conductor();
    // It keeps as many records as the original by default, and these are more.
    const records = { archivalMaxRecords: 500, archivalMaxRecordThreshold: 1000 };
    const ours = await stage.carillon({ conductor: { scheduler: records } });
    const servers = [
      ['Conductor', theirs],
      ['Carillon', ours],
    ];
    for (const [, { url }] of servers) await define(url);
    // A whole minute, after time to settle: the first look of the original comes late.
    const from = Math.ceil((Date.now() + 5000) / observedMs) * observedMs;
    await sleep(from + observedMs + 5000 - Date.now());
    const rows = [];
    for (const name of Object.keys(schedules)) {
      const expected = slotsOf(name, from);
      for (const [title, { url }] of servers) {
        const fired = await firedBy(url, name, from, expected.length);
        const lateness = fired.map(({ slot, at }) => at - slot).sort((a, b) => a - b);
        const slots = fired.map(({ slot }) => slot);
        const missed = expected.filter((slot) => !slots.includes(slot)).length;
        const twice = slots.length - new Set(slots).size;
        const early = lateness.filter((ms) => ms < 0).length;
        rows.push([
          name,
          title,
          expected.length,
          missed,
          twice,
          early,
          lateness[Math.floor(lateness.length / 2)],
          lateness.at(-1),
        ]);
        if (title !== 'Carillon') continue;
        stage.report[missed + twice + early === 0 ? 'passed' : 'failed'](
          `${name}: every slot once, none early`,
          `${missed} missed, ${twice} twice, ${early} early`,
        );
      }
    }
    const head = [
      'SCHEDULE',
      'SCHEDULER',
      'SLOTS',
      'MISSED',
      'TWICE',
      'EARLY',
      'LATE MS (MEDIAN)',
      'LATE MS (MOST)',
    ];
    for (const line of tableText(head, rows).trimEnd().split('\n')) stage.report.note(line);
  },
};

async function define(url) {
  await call('POST', `${url}/api/metadata/workflow`, {
    name: 'interop_tick',
    version: 1,
    schemaVersion: 2,
    ownerEmail: 'a@example.com',
    tasks: [{ name: 'set', taskReferenceName: 'set', type: 'SET_VARIABLE', inputParameters: { a: 1 } }],
  });
  for (const [name, fields] of Object.entries(schedules)) {
    const startWorkflowRequest = { name: 'interop_tick', version: 1, input: {} };
    await call('POST', `${url}/api/scheduler/schedules`, { name, ...fields, startWorkflowRequest });
  }
}

/** The slots of a cron with steps of seconds in the observed minute. */
function slotsOf(name, from) {
  const every = Number(/\/(\d+)/.exec(schedules[name].cronExpression)[1]) * 1000;
  return Array.from({ length: observedMs / every }, (_, index) => from + index * every);
}

/** The records of a schedule in the observed minute; the original lists them late. */
async function firedBy(url, name, from, count) {
  const query = encodeURIComponent(`scheduleName IN (${name})`);
  const ask = async () => {
    const path = `/api/scheduler/search/executions?query=${query}&size=200&start=0&sort=scheduledTime:DESC`;
    const { results } = await call('GET', `${url}${path}`);
    return results
      .map(({ scheduledTime, executionTime }) => ({ slot: scheduledTime, at: executionTime }))
      .filter(({ slot }) => slot >= from && slot < from + observedMs);
  };
  return await until(
    'the records are listed',
    async () => {
      const found = await ask();
      return found.length >= count ? found : undefined;
    },
    10_000,
  ).catch(ask);
}
