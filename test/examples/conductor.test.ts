/** examples/conductor seeds a running server with one command. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { flow } from '../../packages/server/src/flow/flow-archetype.ts';
import { DoorStage } from '../door/door-stage.ts';

const seed = fileURLToPath(new URL('../../examples/conductor/seed.mjs', import.meta.url));

test('the schedules of the example are stored, and their workflows are registered', async () => {
  const archetype = flow();
  await using stage = await DoorStage.open({ flow: archetype }, { archetypes: [archetype] });
  const env = { ...process.env, CARILLON_URL: stage.server.url };
  // Twice: seeding again changes nothing.
  await promisify(execFile)(process.execPath, [seed], { env });
  const { stdout } = await promisify(execFile)(process.execPath, [seed], { env });
  expect(stdout.trim().split('\n')).toHaveLength(6);
  const { body } = await stage.raw('/api/scheduler/schedules');
  for (const { startWorkflowRequest } of body) {
    const definition = await stage.raw(`/api/metadata/workflow/${startWorkflowRequest.name}`);
    expect([startWorkflowRequest.name, definition.status]).toEqual([startWorkflowRequest.name, 200]);
  }
  const started = await stage.raw('/api/workflow', {
    body: { name: 'example_report', input: { _scheduledTime: 1e12 } },
  });
  expect(started.status).toBe(200);
});
