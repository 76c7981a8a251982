// What a test could not test because a program is not available. The test command sets the file and prints its lines at the
// end, so that nothing is left out silently.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

export function notTested(what) {
  const file = process.env.CARILLON_NOT_TESTED;
  if (file === undefined) console.log(`!! NOT TESTED: ${what}`);
  else appendFileSync(file, `${what.replaceAll('\n', ' ')}\n`);
}

export function readNotTested() {
  const file = process.env.CARILLON_NOT_TESTED;
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
