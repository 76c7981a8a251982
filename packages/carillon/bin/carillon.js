#!/usr/bin/env node
// The one bin, committed outside dist: npm links no bin whose target is not built yet.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

function findServer() {
  for (const from of [`${process.cwd()}/`, import.meta.url]) {
    try {
      return createRequire(from).resolve('@carillon/server/cli');
    } catch {
      // Not there; the next place may have it.
    }
  }
  return undefined;
}

const server = findServer();
if (server === undefined) {
  console.error('carillon: this command needs the server: npm install @carillon/server');
  process.exitCode = 127;
} else await import(pathToFileURL(server).href);
