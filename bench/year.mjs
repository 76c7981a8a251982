// A year of an hourly schedule in the simulated world, 8760 fires, as in the README: each time in a fresh process,
// because a test of schedules starts one, and most of the time goes into code that is not compiled yet.
//   npm run bench -- year [rounds]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [rounds = '5'] = process.argv.slice(2);
if (rounds === 'once') {
  const { CarillonWorld } = await import('../packages/carillon/dist/testing/index.js');
  let fires = 0;
  const world = await CarillonWorld.start({
    setup: (carillon) => {
      carillon.handle('report', () => {
        fires += 1;
        return 'ok';
      });
    },
  });
  await world.carillon().schedules.create('hourly', { cron: '0 * * * *', run: 'report' });
  const began = performance.now();
  await world.advance('365d');
  const took = performance.now() - began;
  if (fires !== 8760) throw new Error(`${fires} fires in a year of hours`);
  console.log(took.toFixed(0));
} else {
  const took = Array.from({ length: Number(rounds) }, () =>
    Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), 'once']).toString()),
  );
  console.log(`a simulated year, 8760 fires, in a fresh process each: ${took.join(', ')} ms`);
}
