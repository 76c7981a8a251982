// Tests the packages as users get them: packed, installed into blank projects without our overrides, links or
// lock file, and used on every runtime, compiler, bundler and installer that the README promises.
//
//   node scripts/tarball-matrix.mjs [part of a name …]
//
// Needs Node and the npm registry; everything else comes from npm. What cannot be had is listed under NOT TESTED.
import { fileURLToPath } from 'node:url';
import { bundling } from './tarball/bundling.mjs';
import { commandLine } from './tarball/command-line.mjs';
import { frameworks } from './tarball/frameworks.mjs';
import { installers } from './tarball/installers.mjs';
import { Projects } from './tarball/projects.mjs';
import { NotAvailable } from './tarball/run.mjs';
import { runtimes } from './tarball/runtimes.mjs';
import { sizes } from './tarball/sizes.mjs';
import { stranger } from './tarball/stranger.mjs';
import { testRunners } from './tarball/test-runners.mjs';
import { typeChecks } from './tarball/type-checks.mjs';

export { startAndStop } from './tarball/command-line.mjs';
export { Projects } from './tarball/projects.mjs';
export { NotAvailable } from './tarball/run.mjs';

/** Each has a name and `run(projects)`, which throws when something is wrong and may return a line to report. */
export const checks = [
  ...sizes,
  ...typeChecks,
  ...bundling,
  ...runtimes,
  ...commandLine,
  ...stranger,
  ...testRunners,
  ...frameworks,
  ...installers,
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = process.argv.slice(2);
  const notTested = [];
  let failed = 0;
  const projects = await Projects.open();
  try {
    for (const { name, run } of checks) {
      if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
      const began = performance.now();
      try {
        const told = await run(projects);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        console.log(`✓ ${name} (${seconds} s)${told === undefined ? '' : `: ${told}`}`);
      } catch (error) {
        if (error instanceof NotAvailable) notTested.push(`${name}: ${error.message}`);
        else {
          failed += 1;
          console.log(`✗ ${name}\n${error instanceof Error ? error.message : error}`);
        }
      }
    }
  } finally {
    await projects.close();
  }
  for (const what of notTested) console.log(`\n!! NOT TESTED: ${what}`);
  process.exitCode = failed === 0 ? 0 : 1;
}
