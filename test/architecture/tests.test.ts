/** What holds for the tests themselves: they wait for facts and count work, so that no result depends on the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const files = ['test', 'packages/carillon/src', 'packages/server/src', 'ui/src'].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && (folder === 'test' || name.endsWith('.test.ts')))
    .filter((name) => !name.startsWith('architecture'))
    .map((name) => join(folder, name)),
);

/** Lines that match, as `file:line`. */
function linesWith(pattern: RegExp): readonly string[] {
  return files.flatMap((file) =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
  );
}

test('no test expects that something takes less than a span of time', () => {
  expect(linesWith(/expect\(.*(performance\.now|Date\.now|elapsed|took).*\.toBeLess/i)).toEqual([]);
});

test('no wait of a test has a bound of its own: those of the configuration end what hangs', () => {
  expect(linesWith(/AbortSignal\.timeout|(waitFor|poll)\(.*timeout:/)).toEqual([]);
});

test('no test has a limit of time of its own below the common one, which only ends what hangs', () => {
  expect(linesWith(/^ {0,4}\}, [\d_]+\);$|^ {4}\d+_000,$/)).toEqual([]);
  const options = linesWith(/^ *(test|describe).*\{ timeout: [\d_]+ \}/).map((line) =>
    Number(/timeout: ([\d_]+)/.exec(line)?.[1]?.replaceAll('_', '')),
  );
  expect(options.filter((limit) => limit < 300_000)).toEqual([]);
});

test('one helper waits for facts', () => {
  const helpers = linesWith(/async function (until|waitFor|eventually)\b/);
  const allowed = [/^test\/support\/until\.ts/, /clock: VirtualClock/];
  expect(helpers.filter((line) => !allowed.some((pattern) => pattern.test(line)))).toEqual([]);
});

test('pages of a browser wait as long as all others', () => {
  const made = linesWith(/\bnewContext\(/).filter((line) => !/await newContext\(/.test(line));
  expect(made.map((line) => line.split(':')[0])).toEqual([
    'test/browser/page-stage.ts',
    'test/browser/page-stage.ts',
  ]);
});

test('no store is so impatient that a busy machine alone exceeds its limit, but where that is tested', () => {
  const impatient = linesWith(/statementTimeoutMs: \d{1,3}\b/).map((line) => line.split(':')[0]);
  expect(impatient).toEqual([
    'test/store/postgres-adversarial.test.ts',
    'test/store/postgres-server.test.ts',
  ]);
});
