import { expect, test } from 'vitest';
import type { RangeSlot } from './backfill-slots.ts';
import { askedOf, becameOf, isListed, isMeant } from './backfill-slots.ts';

const done = (outcome: string) => ({ state: 'done', outcome });
const slot = (minute: number, verdict: string | null, run?: object): RangeSlot =>
  ({
    at: new Date(minute * 60_000).toISOString(),
    verdict,
    runId: null,
    ...(run === undefined ? {} : { run }),
  }) as RangeSlot;

const slots = [
  slot(0, 'started', done('completed')),
  slot(1, 'started', done('failed')),
  slot(2, 'paused'),
  slot(3, 'startedLate', { state: 'leased', outcome: null }),
  slot(4, null),
  slot(5, 'buffered'),
];

test('a slot is shown by the outcome of its run', () => {
  expect(slots.map((each) => becameOf(each)?.word)).toEqual([
    'Completed',
    'Failed',
    'Paused',
    'Running',
    undefined,
    'Waiting its turn',
  ]);
});

test('what ran or will run is left out, unless its run failed and that is wanted', () => {
  const meant = (which: 'notRun' | 'failedToo' | 'all') =>
    slots.flatMap((each, place) => (isMeant(which, each) ? [place] : []));
  expect(meant('notRun')).toEqual([2, 4]);
  expect(meant('failedToo')).toEqual([1, 2, 4]);
  expect(meant('all')).toEqual([0, 1, 2, 3, 4, 5]);
});

test('the list is of what did not run or failed; what ran is listed where all are asked for', () => {
  const listed = (which: 'notRun' | 'failedToo' | 'all') =>
    slots.filter((each) => isListed(which, each)).length;
  expect([listed('notRun'), listed('failedToo'), listed('all')]).toEqual([3, 3, 6]);
});

test('slots that are not shown run only when all are wanted', () => {
  const byHand = new Map([[slots[0]?.at ?? '', true]]);
  const except = [1, 3, 5].map((place) => slots[place]?.at);
  expect(askedOf({ items: slots, which: 'notRun', byHand }, 6)).toEqual({ except, count: 3 });
  expect(askedOf({ items: slots, which: 'notRun', byHand }, 900)).toEqual({
    except,
    to: slots[5]?.at,
    count: 3,
  });
  expect(askedOf({ items: slots, which: 'all', byHand: new Map() }, 900)).toEqual({ except: [], count: 900 });
});
