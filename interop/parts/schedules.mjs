// The schedule clients of three SDKs on our server: the same scenarios, written in each language.
import { join } from 'node:path';
import { needs, programs } from '../lib/needs.mjs';

/** How each language's scenarios are started: a command, to which address and prefix are added. */
export const scenarioPrograms = {
  python: async () => [await needs.python(), join(programs, 'python/schedules.py')],
  go: async () => [await needs.goSdk(), 'schedules'],
  java: async () => [...(await needs.java()), 'Schedules'],
};

export const scheduleParts = Object.entries(scenarioPrograms).map(([language, command]) => ({
  name: `schedules-${language}`,
  about: `the schedule client of Temporal's SDK for ${language}`,
  run: async (stage) => {
    const [program, ...args] = await command();
    const server = await stage.carillon();
    await stage.findings(language, program, [...args, server.address, `i${process.pid}`]);
  },
}));
