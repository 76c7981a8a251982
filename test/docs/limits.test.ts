/** The limits on the first page are those of the sources. */
import { expect, test } from 'vitest';
import { mostLogChars, mostLogLines } from '../../packages/carillon/src/base/log-lines.ts';
import { longestInput, longestResult } from '../../packages/carillon/src/runs/limits.ts';
import { defaultOperatorSettings } from '../../packages/carillon/src/scheduler/operator-settings.ts';
import {
  deepestPayload,
  largestPage,
  largestPayload,
  longestId,
  longestNamespace,
} from '../../packages/carillon/src/service/limits.ts';
import { textOf } from './pages.ts';

const grouped = (value: number) => value.toLocaleString('en-US');
const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

test('the table of limits', () => {
  const [, table = ''] = /^\| Limit \| \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(textOf('README.md')) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name, value]) => [name, value]);
  expect([longestInput, longestResult]).toEqual([largestPayload, largestPayload]);
  expect(rows).toEqual([
    ['Finest time', 'one second, jitter in milliseconds'],
    ['Input and memo of a schedule; input and result of a run', mebibytes(largestPayload)],
    ['Ids of schedules', `${longestId} bytes`],
    ['Names of namespaces', `${longestNamespace} characters`],
    ['Log of an attempt', `${grouped(mostLogLines)} lines, ${mostLogChars / 1024} KiB`],
    ['Waiting starts of one schedule', grouped(defaultOperatorSettings.MaxBufferSize)],
    ['One page of a listing', grouped(largestPage)],
    ['Nesting of JSON', `${deepestPayload} levels`],
  ]);
});
