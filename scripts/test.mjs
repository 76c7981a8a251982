// The README's test command: formatting and lint, types, build, then every test. Prints what each stage took and ends
// with one line that counts. Stages go on after a failure, so that one run tells everything.
//   npm test -- [--busy] [vitest's arguments]
// --busy keeps all cores busy with other processes while the tests run: no result may depend on the machine's speed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepBusy } from './busy.mjs';
import { provideNeeds } from './needs.mjs';
import { readNotTested } from './not-tested.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), 'carillon-test-'));
const report = join(scratch, 'report.json');
const isBusy = process.argv.includes('--busy');
const args = process.argv.slice(2).filter((arg) => arg !== '--busy');
const bin = (name) => join('node_modules', '.bin', name);
const stages = [
  ['lint and format', bin('biome'), ['check', '.']],
  ['types', bin('tsc'), ['-p', 'tsconfig.json']],
  ['types of the page', bin('tsc'), ['-p', 'ui/tsconfig.json']],
  ['build', process.execPath, ['scripts/build.mjs']],
  [
    'tests',
    bin('vitest'),
    ['run', '--reporter=default', '--reporter=json', `--outputFile=${report}`, ...args],
  ],
];

process.env.CARILLON_NOT_TESTED = join(scratch, 'not-tested.txt');
console.log('\n── what the tests need ──');
const missing = provideNeeds();
const summary = [];
const leftOut = [];
let passed = 0;
let failed = 0;
let skipped = 0;
for (const [name, command, given] of stages) {
  console.log(`\n── ${name} ──`);
  const began = performance.now();
  const stopBusy = isBusy && name === 'tests' ? keepBusy() : undefined;
  const { status } = spawnSync(command, given, { stdio: 'inherit' });
  stopBusy?.();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const ok = status === 0;
  summary.push(`${ok ? '✓' : '✗'} ${name} (${seconds} s)`);
  if (name !== 'tests') {
    if (ok) passed += 1;
    else failed += 1;
    continue;
  }
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    passed += numPassedTests;
    // A file that could not be loaded has no tests to count, but it is a failure.
    failed +=
      numFailedTests +
      testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    skipped += numPendingTests;
    for (const { assertionResults } of testResults) {
      for (const { status: how, fullName } of assertionResults) {
        if (how === 'pending' || how === 'skipped') leftOut.push(fullName);
      }
    }
    if (!ok && failed === 0) failed += 1;
  } catch (error) {
    console.error(`the test report cannot be read: ${error}`);
    failed += 1;
  }
}
missing.push(...readNotTested());
rmSync(scratch, { recursive: true, force: true });
// Reported but not checked: the machine is quiet again now, unlike while tests run.
if (process.argv.length === 2) {
  console.log('\n── figures ──');
  spawnSync(process.execPath, ['bench/year.mjs', '3'], { stdio: 'inherit' });
}
console.log(`\n${summary.join('\n')}`);
for (const what of missing) console.log(`\n!! NOT TESTED: ${what}`);
if (leftOut.length > 0) console.log(`\nskipped:\n${leftOut.map((name) => `  ${name}`).join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed === 0 ? 0 : 1);
