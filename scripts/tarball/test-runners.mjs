// A test in virtual time under jest. Our own tests run under vitest, and an example under node:test.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const test = `
import assert from 'node:assert/strict';
import { CarillonWorld } from 'carillon/testing';

test('an hourly schedule of a month runs every hour', async () => {
  const world = await CarillonWorld.start({
    start: '2026-01-01T00:00:00Z',
    setup: (carillon) => carillon.handle('report', () => 'ok'),
  });
  await world.carillon().schedules.create('hourly', { cron: '0 * * * *', run: 'report' });
  await world.advance('30d');
  await world.assertOutcomes('hourly', { completed: 720 });
  await world[Symbol.asyncDispose]();
});

test('an assertion in a handler fails the test', async () => {
  const world = await CarillonWorld.start({
    setup: (carillon) => carillon.handle('report', () => expect(1).toBe(2)),
  });
  await world.carillon().schedules.create('hourly', { cron: '0 * * * *', run: 'report' });
  await expect(world.advance('1h')).rejects.toThrow(/hourly/);
  await world[Symbol.asyncDispose]();
});
`;

export const testRunners = [
  {
    name: 'CarillonWorld under jest',
    run: async (projects) => {
      const { folder, node } = await projects.installed(24, ['carillon', 'jest@^30']);
      writeFileSync(join(folder, 'month.test.mjs'), test);
      // The guide names this command.
      const args = [
        '--experimental-vm-modules',
        'node_modules/jest/bin/jest.js',
        '--testMatch',
        '**/*.test.mjs',
      ];
      const said = await run(node, args, { cwd: folder, env: { NO_COLOR: '1' } });
      assert.equal(said.code, 0, `${said.stdout}\n${said.stderr}`);
      assert.match(said.stderr, /Tests: +2 passed/);
    },
  },
];
