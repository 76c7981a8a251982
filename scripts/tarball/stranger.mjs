// The walk of a person who has never seen Carillon: a blank folder, the packages, a first schedule with a typo in it, a run that
// fails, its log, and the same run again. Everything is found from what the program itself says.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDev } from './dev-server.mjs';
import { run, succeed } from './run.mjs';

const embedded = `
import { openCarillon } from 'carillon';
const carillon = await openCarillon('sqlite:./embedded.db');
carillon.handle('report', () => 'sent');
await carillon.schedules.upsert('mine', { every: '1h', run: 'reprot' });
await carillon.start();
const { verdict, runId } = await carillon.schedules.trigger('mine');
console.log(JSON.stringify({ verdict, runId }));
process.on('warning', async () => carillon.stop());
`;

const handlers = `
import { existsSync } from 'node:fs';
export function register(carillon) {
  carillon.handle('report', ({ log, input }) => {
    log('reading the numbers of', input.day);
    if (!existsSync('numbers')) throw new Error('no numbers', { cause: new Error('the disk is away') });
    return 'sent';
  });
}
`;

export const stranger = [
  {
    name: 'a stranger finds a typo and a failing run from the output, reads its log and runs it again',
    run: async (projects) => {
      const { folder, node } = await projects.installed(24, ['carillon', '@carillon/server']);
      const cwd = join(folder, 'walk');
      rmSync(cwd, { recursive: true, force: true });
      mkdirSync(cwd);
      writeFileSync(join(cwd, 'embedded.mjs'), embedded);
      writeFileSync(join(cwd, 'handlers.mjs'), handlers);
      await findTypo(node, cwd);
      const program = join(folder, 'node_modules', '.bin', 'carillon');
      const server = await startDev([node, program], ['--db', 'walk.db', '--handlers', 'handlers.mjs'], cwd);
      const { origin } = new URL(server.api);
      let ended;
      try {
        await walk((...args) => succeed(node, [program, ...args, '--server', origin], { cwd }), cwd);
      } finally {
        ended = await server.end();
      }
      assert.equal(ended.code, 0, ended.stderr);
    },
  },
];

/** The first program of one's own, with a typo in the name of the handler. */
async function findTypo(node, cwd) {
  const said = await run(node, ['embedded.mjs'], { cwd });
  assert.equal(said.code, 0, said.stderr);
  assert.equal(JSON.parse(said.stdout).verdict, 'started');
  assert.match(said.stderr, /CARILLON_NO_HANDLER.*no handler 'reprot'; did you mean 'report'\?/);
}

async function walk(carillon, cwd) {
  const created = await carillon(
    'schedule',
    'create',
    'mine',
    '--every',
    '1h',
    '--run',
    'report',
    '--input',
    '{"day":"monday"}',
  );
  assert.match(created.stdout, /mine/);
  const triggered = await carillon('schedule', 'trigger', 'mine');
  const [, runId] = /^Started mine: run (\S+) /.exec(triggered.stdout) ?? assert.fail(triggered.stdout);
  const log = await carillon('run', 'log', runId, '--follow');
  assert.match(log.stdout, /#1 {2}reading the numbers of monday/);
  const failed = await carillon('runs', '--outcome', 'failed');
  assert.ok(failed.stdout.includes(runId) && failed.stdout.includes('no numbers'), failed.stdout);
  const described = await carillon('run', 'describe', runId);
  assert.match(described.stdout, /caused by Error: the disk is away/);
  writeFileSync(join(cwd, 'numbers'), '42');
  const again = await carillon('run', 'again', runId);
  const [, second] = /^Started (\S+), which repeats/.exec(again.stdout) ?? assert.fail(again.stdout);
  await carillon('run', 'log', second, '--follow');
  const done = await carillon('run', 'describe', second);
  assert.match(done.stdout, /completed/);
  assert.ok(done.stdout.includes(runId), 'the second run names the first');
  const resumed = await carillon('schedule', 'resume', 'mine');
  assert.match(resumed.stdout, /was not paused/);
}
