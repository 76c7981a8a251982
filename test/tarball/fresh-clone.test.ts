/** `npx carillon dev` from the root of a fresh clone after `npm ci` alone, as the README says. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { notTested } from '../../scripts/not-tested.mjs';
import { startAndStop } from '../../scripts/tarball-matrix.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const clone = mkdtempSync(join(tmpdir(), 'carillon-clone-'));
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** What Git has, as it is in the working tree. */
function copyTracked(): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  for (const name of listed.stdout.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    cpSync(join(root, name), join(clone, name), { force: true });
  }
}

test('the program is linked, built and starts; unbuilt it says what to do', { timeout: 900_000 }, async ({
  skip,
}) => {
  copyTracked();
  const options = { cwd: clone, encoding: 'utf8', maxBuffer: 1e8 } as const;
  const reached = spawnSync('npm', ['view', 'zod', 'version'], options);
  if (reached.status !== 0) {
    notTested('npx carillon dev in a fresh clone: the npm registry does not answer');
    skip('the npm registry does not answer');
  }
  const installed = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], options);
  expect(`${installed.status} ${installed.stderr}`).toMatch(/^0 /);
  const program = join(clone, 'node_modules', '.bin', 'carillon');
  await startAndStop(program, clone);
  // The links are made before scripts run, so this is what `npm ci --ignore-scripts` leaves.
  for (const name of ['carillon', 'server'])
    rmSync(join(clone, 'packages', name, 'dist'), { recursive: true });
  const unbuilt = spawnSync(program, ['dev'], options);
  expect(unbuilt.status).toBe(1);
  expect(unbuilt.stderr).toContain('run npm run build');
});
