import { expect, test } from 'vitest';
import { storedDefinition } from '../../../packages/carillon/src/service/definition-draft.ts';
import { patchDefinition } from '../../../packages/carillon/src/service/merge-patch.ts';
import {
  readScheduleInput,
  writeScheduleInput,
} from '../../../packages/carillon/src/service/schedule-input.ts';
import { patchOf, updateCommand } from './command.ts';
import { pastedOf } from './pasted.ts';

const inputs = [
  { cron: '0 9 * * *', zone: 'Europe/Berlin', run: 'x' },
  { cron: ['0 9 * * *', '0 12 * * *'], run: 'x', queue: 'slow', input: { a: 1 }, retry: { attempts: 3 } },
  {
    cron: '0 0 9 * * ?',
    dialect: 'spring',
    run: 'y',
    catchup: '2h',
    tags: ['a'],
    excludeDates: ['2026-12-25'],
  },
  { every: '7m', offset: '2m', http: { url: 'https://example.com' }, overlap: 'allowAll', jitter: '5s' },
  {
    spec: { cron: [{ text: '0 9 * * *', zone: 'Asia/Tokyo' }], calendars: [{ hour: '3' }], zone: 'UTC' },
    run: 'x',
  },
];

const storedOf = (input: object) => ({
  ...storedDefinition({ namespace: 'default', id: 'it' }, readScheduleInput(input)),
  paused: null,
  remaining: null,
});
const pasted = (input: object) => pastedOf({ ...writeScheduleInput(storedOf(input)) });

test('the patch of the command makes the one definition of the other', () => {
  for (const before of inputs) {
    for (const after of inputs) {
      const draft = patchDefinition(storedOf(before), patchOf(pasted(before), pasted(after)));
      expect(pastedOf({ ...writeScheduleInput(draft as never) })).toEqual(pasted(after));
    }
  }
});

test('a change is said by options, and as JSON where no option says it', () => {
  const base = { cron: '0 9 * * *', run: 'x', owner: 'me' };
  expect(updateCommand('a b', patchOf(base, { ...base, overlap: 'bufferOne' }))).toBe(
    "carillon schedule update 'a b' --overlap bufferOne",
  );
  expect(updateCommand('a', patchOf(base, { cron: '0 9 * * *', run: 'x' }))).toBe(
    `printf %s '{"owner":null}' | carillon schedule update a --file -`,
  );
});
