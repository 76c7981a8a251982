#!/usr/bin/env node
// Another name of the command line, so that `npx @carillon/server dev` works where nothing is installed.
await import('@carillon/server/cli');
