import { expect, test } from 'vitest';
import { splitEvents } from './sse.ts';

test('events are cut at empty lines, and an unfinished one waits', () => {
  const { events, rest } = splitEvents(
    'retry: 2000\n\nid: b.1\nevent: slot\ndata: {"schedule":"a","count":1}\n\nid: b.2\nevent: reset\ndata: {}\n\nid: b.3\nev',
  );
  expect(events).toEqual([
    { id: 'b.1', type: 'slot', data: { schedule: 'a', count: 1 } },
    { id: 'b.2', type: 'reset', data: {} },
  ]);
  expect(rest).toBe('id: b.3\nev');
});

test('a piece without an end gives nothing yet', () => {
  expect(splitEvents('id: 1\nevent: slot\n')).toEqual({ events: [], rest: 'id: 1\nevent: slot\n' });
});

test('comments that keep the connection open are no events', () => {
  expect(splitEvents(': still here\n\n').events).toEqual([]);
});
