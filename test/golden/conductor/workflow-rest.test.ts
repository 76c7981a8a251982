/** The answers of a real Conductor server to 203 requests about definitions, workflows and tasks, replayed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../../door/door-stage.ts';
import { until } from '../../support/until.ts';
import { deliberateFlows } from './deliberate.ts';
import { pruned } from './essential.ts';
import type { Case, Heard } from './replay.ts';
import { difference, send, Variables } from './replay.ts';

const { cases } = JSON.parse(readFileSync(new URL('workflow-rest.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Case[];
};

let stage: DoorStage;
beforeAll(async () => {
  const archetype = flow();
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

function judged(each: Case, heard: Heard): string | undefined {
  if (each.follow === 'match') {
    const { otherStores = {} } = each;
    const others = Object.entries(otherStores).map(([name, { body, ...rest }]) => [
      name,
      { ...rest, body: pruned(body) },
    ]);
    const response = { ...each.response, body: pruned(each.response.body) };
    return difference({ ...each, response, otherStores: Object.fromEntries(others) }, heard);
  }
  if (heard.status >= 500) return `status ${heard.status}: ${heard.text.slice(0, 300)}`;
  const { advice = '' } = each;
  // What the open server lacks may be there: then it is the hosted one's behaviour.
  if (advice.startsWith('absent in OSS')) return undefined;
  const isRefused = advice.startsWith('404') ? heard.status === 404 : heard.status >= 400;
  return isRefused ? undefined : `${advice}: got ${heard.status} ${heard.text.slice(0, 300)}`;
}

test('every answer is the recorded one, a better one where it was a defect, or another one for a written reason', async () => {
  const wrong: Record<string, string> = {};
  // Later scenarios use ids and definitions of earlier ones.
  const variables = new Variables(Date.now());
  for (const each of cases) {
    if (each.follow === 'info') {
      variables.keep(each, await send(stage.server.url, each, variables));
      continue;
    }
    const ask = async () => {
      const heard = await send(stage.server.url, each, variables);
      return { heard, trouble: judged(each, heard) };
    };
    // Instead of the recorded wait: what the request waits for is awaited.
    const isWaiting = each.waitMsBefore !== undefined && deliberateFlows[each.id] === undefined;
    const { heard, trouble } = isWaiting ? await until(ask, (now) => now.trouble === undefined) : await ask();
    variables.keep(each, heard);
    if (trouble !== undefined) wrong[each.id] = `${each.title}: ${trouble}`;
  }
  const unexplained = Object.entries(wrong).filter(([id]) => deliberateFlows[id] === undefined);
  expect(Object.fromEntries(unexplained)).toEqual({});
  expect(Object.keys(deliberateFlows).filter((id) => wrong[id] === undefined)).toEqual([]);
});
