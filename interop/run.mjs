// npm run interop [-- <part> …]: real clients and servers of other makers against Carillon. Each part reports what this machine
// lacks by name; nothing is skipped silently.

import { root } from './lib/needs.mjs';
import { run } from './lib/processes.mjs';
import { NotHere, Report } from './lib/report.mjs';
import { Stage } from './lib/stage.mjs';

// INTEROP_BUILT=1: the packages are built already. Parts import them, so they are loaded afterwards.
if (process.env.INTEROP_BUILT === undefined)
  await run(process.execPath, ['scripts/build.mjs'], { cwd: root });
const { parts } = await import('./parts/index.mjs');

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !parts.some((part) => part.name === name));
if (unknown.length > 0) {
  const list = parts.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`).join('\n');
  console.error(
    `no such part: ${unknown.join(', ')}\nnpm run interop [-- <part> …], where a part is one of:\n${list}`,
  );
  process.exit(2);
}
const report = new Report();
let stage;
// Servers and workers must not outlive a run that is stopped.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stage?.end();
    process.exit(1);
  });
}
for (const part of parts.filter(({ name }) => asked.length === 0 || asked.includes(name))) {
  report.begin(part.name);
  stage = new Stage(report);
  try {
    await part.run(stage);
  } catch (error) {
    if (error instanceof NotHere) report.notHere(part.about, error.message);
    else report.failed('the part runs to its end', error.stack ?? error.message);
  } finally {
    await stage.end();
  }
}
process.exit(report.end() ? 0 : 1);
