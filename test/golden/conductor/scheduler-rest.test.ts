/** The answers of a real Conductor server to 444 requests of its scheduler, replayed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from '../../door/door-stage.ts';
import { until } from '../../support/until.ts';
import { adviceIgnored } from './advice.ts';
import { deliberate } from './deliberate.ts';
import type { Case } from './replay.ts';
import { difference, send, Variables } from './replay.ts';

const { cases } = JSON.parse(readFileSync(new URL('scheduler-rest.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

let stage: DoorStage;
beforeAll(async () => {
  // What the recorded requests register as a workflow is a handler here.
  stage = await DoorStage.open({}, {}, (carillon) => void carillon.handle('golden_noop', () => null));
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
      const trouble =
        each.follow === 'match'
          ? difference(each, heard)
          : each.follow === 'better'
            ? adviceIgnored(each, heard)
            : undefined;
      return { heard, trouble };
    };
    // Instead of the recorded wait: what the request waits for is awaited.
    const { heard, trouble } =
      each.waitMsBefore === undefined
        ? await judged()
        : await until(judged, (now) => now.trouble === undefined);
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
