/** Replays the recorded requests of the scheduler, scenario by scenario. */
import { readFileSync } from 'node:fs';
import { until } from '../../support/until.ts';
import { adviceIgnored } from './advice.ts';
import { deliberate } from './deliberate.ts';
import { pruned } from './essential.ts';
import type { Case } from './replay.ts';
import { difference, send, Variables } from './replay.ts';

const { cases } = JSON.parse(readFileSync(new URL('scheduler-rest.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

export const scenarios = [...new Set(cases.map(({ scenario }) => scenario))];

/** What is wrong with our answers, by case. The cases of a scenario build on each other. */
async function replayScheduler(url: string, scenario: string): Promise<Readonly<Record<string, string>>> {
  const wrong: Record<string, string> = {};
  const variables = new Variables(Date.now());
  // What was waited for once may come at any time until then, for the requests after it too.
  let hasWaited = false;
  for (const each of cases.filter((other) => other.scenario === scenario && other.follow !== 'info')) {
    const judged = async () => {
      const heard = await send(url, each, variables);
      const response = { ...each.response, body: pruned(each.response.body) };
      const trouble =
        each.follow === 'match' ? difference({ ...each, response }, heard) : adviceIgnored(each, heard);
      return { heard, trouble };
    };
    // Instead of the recorded wait: what the request waits for is awaited, a slot or the end of a workflow.
    hasWaited ||= each.waitMsBefore !== undefined;
    const isRead = each.request.method === 'GET' && deliberate[each.id] === undefined;
    const isAwaited = (hasWaited && isRead) || each.request.path.startsWith('/api/workflow/');
    const { heard, trouble } = isAwaited
      ? await until(judged, (now) => now.trouble === undefined)
      : await judged();
    variables.keep(each, heard);
    if (trouble !== undefined) wrong[each.id] = `${each.title}: ${trouble}`;
  }
  return wrong;
}

/** The cases whose answer differs without a written reason, and those whose written reason is not needed. */
export async function unexplained(
  url: string,
  scenario: string,
): Promise<{ readonly wrong: object; readonly needless: readonly string[] }> {
  const wrong = await replayScheduler(url, scenario);
  const known = cases.filter((each) => each.scenario === scenario && deliberate[each.id] !== undefined);
  return {
    wrong: Object.fromEntries(Object.entries(wrong).filter(([id]) => deliberate[id] === undefined)),
    needless: known.filter(({ id }) => wrong[id] === undefined).map(({ id }) => id),
  };
}
