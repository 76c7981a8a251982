// What a fire costs in CPU time, through the public API on a SQLite file with full durability: start, verdict, run row, handler
// and report. CPU time moves less than wall time on a machine with other work. Several builds are measured in turn:
//   npm run bench -- fire-cpu [--rounds 3] [path of a built main.js …]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const schedules = 1000;
const seconds = 12;
/** The first fires pay for compiling; they are left out. */
const warmUp = 4 * schedules;

async function measure(main) {
  const { openCarillon } = await import(pathToFileURL(main).href);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const carillon = await openCarillon(`sqlite:${join(folder, 'fire.db')}`);
  let fires = 0;
  let began;
  let done;
  const enough = new Promise((resolve) => {
    done = resolve;
  });
  carillon.handle('tick', () => {
    fires += 1;
    if (fires === warmUp) began = process.cpuUsage();
    if (fires === warmUp + (seconds - 4) * schedules) done();
    return fires;
  });
  for (let index = 0; index < schedules; index += 1) {
    await carillon.schedules.create(`s-${index}`, { every: '1s', run: 'tick', overlap: 'allowAll' });
  }
  await carillon.start();
  await enough;
  const { user, system } = process.cpuUsage(began);
  const counted = fires - warmUp;
  await carillon.stop();
  rmSync(folder, { recursive: true, force: true });
  console.log(JSON.stringify({ user: user / counted, system: system / counted }));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, one: { type: 'boolean' } },
});
const builds =
  positionals.length > 0
    ? positionals.map((path) => resolve(path))
    : [fileURLToPath(new URL('../packages/carillon/dist/main.js', import.meta.url))];
if (values.one) await measure(builds[0]);
else {
  const all = new Map(builds.map((build) => [build, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const build of builds) {
      const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--one', build], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { user, system } = JSON.parse(child.stdout.trim().split('\n').at(-1));
      all.get(build).push(user + system);
      console.log(`${build}: ${user.toFixed(1)} µs user + ${system.toFixed(1)} µs system per fire`);
    }
  }
  for (const [build, costs] of all) {
    const sorted = costs.sort((a, b) => a - b);
    console.log(
      `median ${sorted[Math.floor(sorted.length / 2)].toFixed(1)} µs, best ${sorted[0].toFixed(1)} µs  ${build}`,
    );
  }
}
