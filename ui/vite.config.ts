/** Builds the page into the server package, which serves it. */
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { sources } from '../scripts/entry-points.mjs';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

export default defineConfig(({ command }) => ({
  root: root('ui'),
  // Relative addresses, so that one build serves every base path; the server fills in where the page is.
  base: command === 'serve' ? '/ui/' : './',
  plugins: [
    react(),
    tailwind(),
    {
      name: 'base-of-the-development-server',
      apply: 'serve',
      transformIndexHtml: (html) => html.replaceAll('__CARILLON_BASE__', '/ui/'),
    },
  ],
  resolve: {
    alias: [
      // The library's sources, so that the page needs no build of it.
      ...Object.entries(sources).map(([name, file]) => ({
        find: new RegExp(`^${name}$`),
        replacement: root(file),
      })),
      // React has the hook itself since version 18.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
    ],
  },
  build: {
    outDir: root('packages/server/dist/page'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // What the list needs is one file, and what other screens share is another: nothing waits for many small ones.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'page',
              priority: 2,
              test: /node_modules\/(?!zod)|preload-helper|ui\/src\/(main|parts\/(?!Dialog|NewForm|Nodes|Note|Seg|Table|Tip|sentence)|verdict|live|strip|schedules\/(?!SaveView)|data|time\/(text|zone|now)\.ts|app\/(?!Palette|palette|KeysHelp|SignIn))/,
            },
            { name: 'screens', priority: 1, test: /ui\/src\/(parts|audit\/change|runs\/(RunTable|run-row))/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
}));
