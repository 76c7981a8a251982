// npm run bench -- <name> [options]: runs bench/<name>.mjs in a process of its own, with the time zone pinned so
// that libraries which fall back to the process's zone are measured on equal terms.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const [name, ...rest] = process.argv.slice(2);
const file = `${folder}${name}.mjs`;
if (name === undefined || name === 'run' || !/^[\w-]+$/.test(name) || !existsSync(file)) {
  const names = readdirSync(folder)
    .filter((entry) => entry.endsWith('.mjs') && entry !== 'run.mjs' && !entry.endsWith('-node.mjs'))
    .map((entry) => entry.slice(0, -4));
  console.error(`usage: npm run bench -- <name>, where name is one of: ${names.join(', ')}`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, [file, ...rest], {
  stdio: 'inherit',
  env: { ...process.env, TZ: 'UTC' },
});
process.exit(status ?? 1);
