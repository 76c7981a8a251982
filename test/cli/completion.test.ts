/** Completion scripts, the one for bash as bash itself understands it. */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DoorStage } from '../door/door-stage.ts';
import { carillon } from './command-stage.ts';

const scratch = mkdtempSync(join(tmpdir(), 'carillon-completion-'));
const root = fileURLToPath(new URL('../..', import.meta.url));
let stage: DoorStage;

beforeAll(async () => {
  stage = await DoorStage.open();
  for (const id of ['nightly', 'night-shift', 'weekly']) await stage.create(id);
  // The program as a person would call it, from the sources, so that no build is needed.
  const program = join(scratch, 'carillon');
  const loader = join(root, 'node_modules/tsx/dist/esm/index.mjs');
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' --import '${loader}' '${join(root, 'packages/server/src/cli/bin.ts')}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  writeFileSync(join(scratch, 'bash.sh'), (await carillon(['completion', 'bash'])).stdout);
});
afterAll(async () => {
  await stage.server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** What bash offers for a line; the last word is the one under the cursor. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const script = `
    source "$SCRATCH/bash.sh"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _carillon
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = {
    ...process.env,
    SCRATCH: scratch,
    PATH: `${scratch}:${process.env.PATH}`,
    CARILLON_URL: stage.server.url,
  };
  // Not spawnSync: the server that is asked for ids lives in this very process.
  const child = spawn('bash', ['-c', script, 'bash', ...words], { env });
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  await new Promise((resolve) => child.on('close', resolve));
  return stdout.split('\n').filter((each) => each !== '');
}

describe('bash', () => {
  test('completes commands and their commands', async () => {
    expect(await offered('carillon', '')).toEqual(
      expect.arrayContaining(['schedule', 'lint', 'verify', 'plan', 'help']),
    );
    expect(await offered('carillon', '')).not.toContain('__complete');
    expect(await offered('carillon', 've')).toEqual(['verify', 'version']);
    expect(await offered('carillon', 'schedule', 'p')).toEqual(['pause']);
    expect(await offered('carillon', 'import', '')).toEqual(['bullmq', 'conductor', 'temporal', 'crontab']);
  });

  test('completes options of the command, after other options as well', async () => {
    expect(await offered('carillon', 'verify', '--kept')).toEqual([
      '--kept-ledger',
      '--kept-ledger-rows',
      '--kept-runs-for',
      '--kept-runs',
    ]);
    expect(await offered('carillon', 'schedule', 'create', 'x', '--run', 'y', '--ov')).toEqual(['--overlap']);
  });

  test('completes values from their choices', async () => {
    expect(await offered('carillon', 'next', '--dialect', '')).toEqual(['unix', 'temporal', 'spring']);
    expect(await offered('carillon', 'completion', 'z')).toEqual(['zsh']);
    expect(await offered('carillon', 'dst', '--fold', 'l')).toEqual(['last']);
  });

  test('asks the server for schedules, and the tables for zones', async () => {
    expect(await offered('carillon', 'schedule', 'describe', 'night')).toEqual(['night-shift', 'nightly']);
    expect(await offered('carillon', 'why', 'week')).toEqual(['weekly']);
    expect(await offered('carillon', 'next', '--zone', 'Europe/Berl')).toEqual(['Europe/Berlin']);
    expect(await offered('carillon', 'schedule', 'create', 'n')).toEqual([]);
    expect(await offered('carillon', 'namespace', 'describe', '')).toEqual(['default']);
    expect(await offered('carillon', 'runs', '--namespace', 'def')).toEqual(['default']);
    expect(await offered('carillon', 'namespace', 'create', 'd')).toEqual([]);
  });

  test('the script is sound', () => {
    expect(spawnSync('bash', ['-n', join(scratch, 'bash.sh')]).status).toBe(0);
  });
});

describe('other shells', () => {
  test('zsh and fish get every command and every option', async () => {
    for (const shell of ['zsh', 'fish']) {
      const { code, stdout } = await carillon(['completion', shell]);
      expect(code).toBe(0);
      for (const word of ['verify', 'crontab', 'temporal', '__complete']) expect(stdout).toContain(word);
    }
    expect((await carillon(['completion', 'zsh'])).stdout).toContain("'--take-over:");
    expect((await carillon(['completion', 'fish'])).stdout).toContain('-l take-over');
    expect((await carillon(['completion', 'tcsh'])).code).toBe(2);
  });

  const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

  test.skipIf(!has('zsh'))('zsh can read it', async () => {
    const { stdout } = await carillon(['completion', 'zsh']);
    expect(spawnSync('zsh', ['-n', '-c', stdout]).status).toBe(0);
  });

  test.skipIf(!has('fish'))('fish can read it', async () => {
    const { stdout } = await carillon(['completion', 'fish']);
    expect(spawnSync('fish', ['-n'], { input: stdout }).status).toBe(0);
  });
});

test('no server, no suggestions, no noise', async () => {
  const said = await carillon(['__complete', 'schedule', 'x', '--', '--server', 'http://127.0.0.1:1']);
  expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
});
