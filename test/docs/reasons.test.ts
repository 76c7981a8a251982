/** The page of errors lists every reason that the sources give, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstCells, root } from './pages.ts';

/** Where a reason of one word stands in the sources: after `reason:`. */
const direct = /\breason:[^,;'\n]*'([A-Z][A-Z0-9_]{2,})'(?:\s*:\s*'([A-Z][A-Z0-9_]{2,})')?/g;
/** Every word of several parts is a reason, wherever it stands: in a table, or as what a function gets. */
const several = /'([A-Z][A-Z0-9]*_[A-Z0-9_]+)'/g;

/** Words of several parts that are no reasons of ours. */
const words = {
  environment: ['CARILLON_SECRET_', 'CRON_TZ'],
  node: ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_UNKNOWN_FILE_EXTENSION'],
  grpc: ['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'DEADLINE_EXCEEDED', 'RESOURCE_EXHAUSTED', 'DATA_LOSS'],
  temporal: ['AUTO_UPGRADE', 'STARTS_WITH'],
  conductor: [
    ...['TIMED_OUT', 'SUB_WORKFLOW', 'DO_WHILE', 'FAILED_WITH_TERMINAL_ERROR', 'SET_VARIABLE', 'FORK_JOIN'],
    ...['IN_PROGRESS', 'TIME_OUT_WF', 'COMPLETED_WITH_ERRORS', 'ALERT_ONLY', 'EXPONENTIAL_BACKOFF'],
    ...['LINEAR_BACKOFF', 'INVALID_TOKEN', 'RETURN_EXISTING', 'FAIL_ON_RUNNING', 'TARGET_WORKFLOW'],
  ],
};
const otherWords: ReadonlySet<string> = new Set(Object.values(words).flat());

function reasonsIn(text: string): readonly string[] {
  return [...text.matchAll(direct), ...text.matchAll(several)].flatMap(([, ...found]) =>
    found.filter((each) => each !== undefined && !otherWords.has(each)),
  );
}

function sources(): readonly string[] {
  return ['packages/carillon/src', 'packages/server/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
      .map((name) => readFileSync(join(root, folder, name), 'utf8')),
  );
}

test('every reason is listed once, and every listed reason is in the sources', () => {
  const listed = firstCells('docs/errors.md', /^\| Reason /);
  expect(listed.filter((each, index) => listed.indexOf(each) !== index)).toEqual([]);
  const texts = sources();
  const given = new Set(texts.flatMap(reasonsIn));
  expect([...given].filter((each) => !listed.includes(each)).sort()).toEqual([]);
  const all = texts.join('\n');
  expect([...otherWords].filter((each) => !all.includes(`'${each}'`))).toEqual([]);
  expect(listed.filter((each) => !all.includes(`'${each}'`))).toEqual([]);
});
