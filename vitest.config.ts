import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sources } from './scripts/entry-points.mjs';

export default defineConfig({
  resolve: {
    // Tests run on the sources; no build is needed before them.
    alias: Object.entries(sources).map(([name, file]) => ({
      find: new RegExp(`^${name}$`),
      replacement: fileURLToPath(new URL(file, import.meta.url)),
    })),
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'ui/src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Most tests wait for processes and databases: all cores, and not one less, as is the default.
    maxWorkers: availableParallelism(),
    // They end what hangs, and say nothing about how fast the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
});
