#!/usr/bin/env node
// The program under a second name, so that `npx @carillon/server dev` works where nothing is installed.
import { existsSync } from 'node:fs';

const program = new URL('../dist/cli/bin.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  console.error('carillon-server is not built yet: run npm run build');
  process.exitCode = 1;
}
