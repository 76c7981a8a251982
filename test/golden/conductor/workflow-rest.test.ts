/** The answers of a real Conductor server to 203 requests about definitions, workflows and tasks, replayed. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../../door/door-stage.ts';
import { until } from '../../support/until.ts';
import { deliberateFlows } from './deliberate.ts';
import type { Case, Heard } from './replay.ts';
import { difference, send, Variables } from './replay.ts';

type Keys = Readonly<Record<'workflow' | 'task' | 'definition', readonly string[]>>;
const { cases, essential } = JSON.parse(
  readFileSync(new URL('workflow-rest.json', import.meta.url), 'utf8'),
) as {
  readonly cases: readonly Case[];
  readonly essential: Keys;
};

let stage: DoorStage;
beforeAll(async () => {
  const archetype = flow();
  stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** Workflows, tasks and definitions carry many derived fields: only the essential ones are compared, at any depth. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (typeof value !== 'object' || value === null) return value;
  const keys = keysOf(value);
  const entries = Object.entries(value).filter(([key]) => keys === undefined || keys.includes(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, pruned(item)]));
}

function keysOf(value: object): readonly string[] | undefined {
  if ('taskId' in value && 'referenceTaskName' in value) return essential.task;
  if ('workflowId' in value && 'tasks' in value) return essential.workflow;
  return 'schemaVersion' in value && 'tasks' in value ? essential.definition : undefined;
}

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

test('every answer is the recorded one, a better one where it was a defect, or another one for a written reason', {
  timeout: 60_000,
}, async () => {
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
