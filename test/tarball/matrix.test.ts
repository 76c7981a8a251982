/** Our packages as users get them; `scripts/tarball-matrix.mjs` has the checks, and runs them by itself too. */
import { afterAll, beforeAll, describe, test } from 'vitest';
import { notTested } from '../../scripts/not-tested.mjs';
import { checks, NotAvailable, Projects } from '../../scripts/tarball-matrix.mjs';

/** The first run loads runtimes and compilers from npm; later ones find them in the cache. */
const patienceMs = 900_000;

describe('the tarballs', () => {
  let projects: Projects | undefined;
  let trouble = '';

  beforeAll(async () => {
    try {
      projects = await Projects.open();
    } catch (error) {
      if (!(error instanceof NotAvailable)) throw error;
      trouble = error.message;
    }
  }, patienceMs);
  afterAll(async () => await projects?.close());

  for (const { name, run } of checks) {
    test(name, { timeout: patienceMs }, async ({ skip }) => {
      try {
        if (projects === undefined) throw new NotAvailable(trouble);
        const told = await run(projects);
        if (told !== undefined) console.log(`${name}: ${told}`);
      } catch (error) {
        if (!(error instanceof NotAvailable)) throw error;
        notTested(`${name}: ${error.message}`);
        skip(error.message);
      }
    });
  }
});
