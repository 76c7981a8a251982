/** The answers of a real Conductor server to 444 requests of its scheduler, replayed, on every store. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flow } from '../../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../../door/door-stage.ts';
import { describePostgres } from '../../support/postgres-suite.ts';
import { describeWithRedis, freshPrefix } from '../../support/redis-server.ts';
import { scenarios, unexplained } from './scheduler-scenarios.ts';

/** Costs five seconds of waiting for a slot, which is not the store's. */
const live = 'executions-live';

function replayOn(store: () => Promise<string>, played: readonly string[]): void {
  let stage: DoorStage;
  beforeAll(async () => {
    const archetype = flow();
    stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype], store: await store() });
  });
  afterAll(async () => await stage[Symbol.asyncDispose]());

  test.each(played)(
    '%s: every answer is the recorded one, a better one where it was a defect, or another one for a written reason',
    async (scenario) => {
      expect(await unexplained(stage.server.url, scenario)).toEqual({ wrong: {}, needless: [] });
    },
  );
}

describe('in memory', () => replayOn(async () => 'memory:', scenarios));

const others = scenarios.filter((scenario) => scenario !== live);
await describePostgres('on PostgreSQL', ({ newDatabase }) => replayOn(newDatabase, others));
await describeWithRedis('on Redis', ({ url }) =>
  replayOn(async () => `${url}?prefix=${freshPrefix()}`, others),
);
