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
    // The library's sources, so that the page needs no build of it.
    alias: Object.entries(sources).map(([name, file]) => ({
      find: new RegExp(`^${name}$`),
      replacement: root(file),
    })),
  },
  build: {
    outDir: root('packages/server/dist/page'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    // What several screens share is one file beside the first: the list must not wait for many small ones.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /node_modules|ui\/src\/(parts|verdict|live|strip|schedules|data|audit\/change|time\/(text|zone|now)\.ts|app\/(links|search|keys|theme|places|Screen|TopBar|Rail))/,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
}));
