#!/usr/bin/env node
// The one bin, committed outside dist: npm makes no link for a bin whose target does not exist yet.
import { existsSync } from 'node:fs';

if (existsSync(new URL('../dist/cli/launch.js', import.meta.url))) {
  const { launch } = await import('../dist/cli/launch.js');
  await launch();
} else {
  console.error('carillon is not built yet: run npm run build');
  process.exitCode = 1;
}
