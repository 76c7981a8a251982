import type { ClockChange } from 'carillon/client';
import { expect, test } from 'vitest';
import { commandOf, joinedUntouched } from './changes.ts';

const change = (zone: string, at: string, ids: readonly string[] = [], byMinutes = 60) =>
  ({ zone, at, byMinutes, touched: ids.map((id) => ({ id })) }) as unknown as ClockChange;

test('zones that change on one day and touch nothing are told together, the others each by itself', () => {
  const changes = [
    change('America/Toronto', '2027-03-14T07:00:00Z'),
    change('America/New_York', '2027-03-14T07:00:00Z', ['a']),
    change('America/Denver', '2027-03-14T09:00:00Z'),
    change('Europe/Berlin', '2027-03-28T01:00:00Z'),
    change('Asia/Beirut', '2027-03-28T01:00:00Z', [], -60),
  ];
  expect(joinedUntouched(changes).map((same) => same.map(({ zone }) => zone))).toEqual([
    ['America/Toronto', 'America/Denver'],
    ['America/New_York'],
    ['Europe/Berlin'],
    ['Asia/Beirut'],
  ]);
});

test('the command names each schedule once', () => {
  const changes = [
    change('A/B', '2027-03-14T07:00:00Z', ['a', "it's"]),
    change('A/B', '2027-10-31T07:00:00Z', ['a']),
  ];
  expect(commandOf(changes)).toBe("carillon dst a 'it'\\''s'");
  expect(commandOf([])).toBe('carillon dst');
});
