/**
 * A real browser for tests. Looked for in `CARILLON_TEST_CHROMIUM`, then on the PATH. Where there is none the tests fail and
 * say what is missing: a browser that is quietly absent would leave the pages untested for ever. Set
 * `CARILLON_TEST_WITHOUT_CHROMIUM=1` where there is none on purpose.
 */
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findOnPath, isProgram } from './programs.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const withoutChromium = process.env.CARILLON_TEST_WITHOUT_CHROMIUM === '1';

export function findChromium(): string {
  const given = process.env.CARILLON_TEST_CHROMIUM;
  if (given !== undefined && given !== '') {
    if (isProgram(given)) return given;
    throw new Error(`CARILLON_TEST_CHROMIUM names '${given}', which is no program that can be run`);
  }
  const found = findOnPath(names);
  if (found !== undefined) return found;
  throw new Error(
    `no browser: none of ${names.join(', ')} is on the PATH. Install Chromium, or say where it is with CARILLON_TEST_CHROMIUM=<path>, or set CARILLON_TEST_WITHOUT_CHROMIUM=1 to leave these tests out`,
  );
}

export async function openChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}
