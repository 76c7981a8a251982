// Examples that bring a framework too large for our own development dependencies: installed by their own package.json, and run.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmScript, succeed } from './run.mjs';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));

export const frameworks = [
  {
    name: 'the example with NestJS',
    run: async (projects) => {
      const folder = projects.blank('nest');
      cpSync(join(examples, 'nest'), folder, { recursive: true });
      await succeed(process.execPath, [npmScript(), 'install'], { cwd: folder });
      const { stdout } = await succeed(process.execPath, [npmScript(), 'run', '--silent', 'start'], {
        cwd: folder,
      });
      assert.deepEqual(stdout.trim().split('\n'), [
        'the report of sales is written',
        'the run of ada: done',
        'the page: 200',
        'a stranger: 401',
        'beside it: my application',
      ]);
    },
  },
];
