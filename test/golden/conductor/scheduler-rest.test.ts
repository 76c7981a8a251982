/** The answers of a real Conductor server to 444 requests of its scheduler, replayed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../../door/door-stage.ts';
import { until } from '../../support/until.ts';
import { adviceIgnored } from './advice.ts';
import { deliberate } from './deliberate.ts';
import { pruned } from './essential.ts';
import type { Case } from './replay.ts';
import { difference, send, Variables } from './replay.ts';

const { cases } = JSON.parse(readFileSync(new URL('scheduler-rest.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

let stage: DoorStage;
beforeAll(async () => {
  const archetype = flow();
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

const scenarios = [...new Set(cases.map(({ scenario }) => scenario))];

/** What is wrong with our answers, by case. The cases of a scenario build on each other. */
async function replay(scenario: string): Promise<Readonly<Record<string, string>>> {
  const wrong: Record<string, string> = {};
  const variables = new Variables(Date.now());
  for (const each of cases.filter((other) => other.scenario === scenario && other.follow !== 'info')) {
    const judged = async () => {
      const heard = await send(stage.server.url, each, variables);
      const response = { ...each.response, body: pruned(each.response.body) };
      const trouble =
        each.follow === 'match' ? difference({ ...each, response }, heard) : adviceIgnored(each, heard);
      return { heard, trouble };
    };
    // Instead of the recorded wait: what the request waits for is awaited, a slot or the end of a workflow.
    const isAwaited = each.waitMsBefore !== undefined || each.request.path.startsWith('/api/workflow/');
    const { heard, trouble } = isAwaited
      ? await until(judged, (now) => now.trouble === undefined)
      : await judged();
    variables.keep(each, heard);
    if (trouble !== undefined) wrong[each.id] = `${each.title}: ${trouble}`;
  }
  return wrong;
}

describe.each(scenarios)('%s', (scenario) => {
  test('every answer is the recorded one, a better one where it was a defect, or another one for a written reason', {
    timeout: 30_000,
  }, async () => {
    const wrong = await replay(scenario);
    const unexplained = Object.entries(wrong).filter(([id]) => deliberate[id] === undefined);
    expect(Object.fromEntries(unexplained)).toEqual({});
    const ofScenario = cases.filter(
      (each) => each.scenario === scenario && deliberate[each.id] !== undefined,
    );
    const needless = ofScenario.filter(({ id }) => wrong[id] === undefined).map(({ id }) => id);
    expect(needless).toEqual([]);
  });
});
