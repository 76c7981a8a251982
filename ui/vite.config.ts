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
    // Which file needs which: for the first files of each screen, and for the table of what each of them weighs.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // What every screen needs is one file, and what several of them share is another: nothing waits for many small ones.
    // What only dialogs, the drawer or the form share is not part of a first look.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'page', tags: ['$initial'], priority: 2 },
            {
              name: 'rows',
              test: /ui\/src\/(app|data|live|schedules|strip|verdict|parts\/(Copy|Failed|Skeleton|kept-focus|small-screen))|client\/schedule-query/,
              minShareCount: 2,
              priority: 1,
            },
            // The overview and a schedule share what reads slots.
            { name: 'slots', test: /ui\/src\/timeline\/(bins|from-answers)/, minShareCount: 2, priority: 1 },
            // So do the screens and cards of runs with theirs.
            { name: 'runs', test: /ui\/src\/runs\/(?![A-Z]|stopped)/, minShareCount: 2, priority: 1 },
            {
              name: 'screens',
              test: /ui\/src\/(?!actions|audit|calendar|edit|explain|near|parts\/(Dialog|answers-enter)|runs\/([A-Z]|stopped)|time\/zone-tables|schedule\/(code|command|pasted|[dD]eploy|History|rhythm)|playground|timeline)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
}));
