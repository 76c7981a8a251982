// The schedule scenarios of every language on a real Temporal server and on ours: what was seen must be equal, except for the
// differences that docs/temporal.md names.
import { isDeepStrictEqual } from 'node:util';
import { NotHere } from '../lib/report.mjs';
import { compareHttp } from './http-beside.mjs';
import { scenarioPrograms } from './schedules.mjs';

/** What may differ, with the reason. */
const cancelled = 'a cancel of a workflow that no worker has begun ends it here at once';
const known = {
  'terminate after a cancel that no worker saw': cancelled,
  'status after both': cancelled,
  'overlap CANCEL_OTHER': cancelled,
  'statuses under CANCEL_OTHER': cancelled,
};

export const temporalBeside = {
  name: 'temporal-beside',
  about: 'the schedule scenarios and the HTTP API on a real Temporal server and on ours',
  run: async (stage) => {
    const real = await stage.temporal();
    const ours = await stage.carillon();
    await compareHttp(stage, real.temporalUrl, ours.temporalUrl);
    for (const [language, find] of Object.entries(scenarioPrograms)) {
      let command;
      try {
        command = await find();
      } catch (error) {
        if (!(error instanceof NotHere)) throw error;
        stage.report.notHere(`${language} on both servers`, error.message);
        continue;
      }
      const [program, ...args] = command;
      const run = async (title, { address }) =>
        await stage.findings(`${language}, ${title}`, program, [
          ...args,
          address,
          `${language}${process.pid}`,
        ]);
      compare(stage.report, language, await run('real server', real), await run('ours', ours));
    }
  },
};

function compare(report, language, theirs, ours) {
  let equal = 0;
  for (const [name, value] of theirs) {
    if (isDeepStrictEqual(value, ours.get(name))) {
      equal += 1;
      continue;
    }
    const both = `real ${JSON.stringify(value)}, ours ${JSON.stringify(ours.get(name))}`;
    if (name in known) report.note(`${language}: ${name}: ${both}: ${known[name]}`);
    else report.failed(`${language}: ${name} is as on the real server`, both);
  }
  report.passed(`${language}: ${equal} of ${theirs.size} observations are equal on both servers`);
}
