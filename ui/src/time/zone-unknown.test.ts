import { expect, test, vi } from 'vitest';
import { islandData, islandZone } from '../../../packages/server/src/cli/demo/island-zone.ts';

const change = Date.parse('2026-11-17T17:00:00Z');

test('a zone that the browser does not know is UTC by name until the tables are there, and right afterwards', async () => {
  // Another test may have brought the tables already.
  vi.resetModules();
  const { bringOwnZone, clockChanges, shownZone, wallTime, watchZones, zoneLetters } = await import(
    './zone.ts'
  );
  bringOwnZone(islandZone, islandData(change as never));
  expect(shownZone('America/New_York')).toBe('America/New_York');
  const areThere = new Promise<void>((resolve) => watchZones(resolve));
  // Asking for the zone begins to load the tables.
  expect([shownZone(islandZone), zoneLetters(islandZone, change)]).toEqual(['UTC', 'UTC']);
  await areThere;
  expect(shownZone(islandZone)).toBe(islandZone);
  // The clock was set back from two to one.
  expect(wallTime(islandZone, change - 60_000)).toMatchObject({ hour: 1, minute: 59 });
  expect(wallTime(islandZone, change)).toMatchObject({ hour: 1, minute: 0 });
  expect(clockChanges(islandZone, change - 1000, change + 1000)).toEqual([{ at: change, by: -3_600_000 }]);
  expect(zoneLetters(islandZone, change)).toBe('UTC+8');
  // No table has it, and no spec brings it.
  expect([shownZone('Mars/Olympus'), zoneLetters('Mars/Olympus', change)]).toEqual(['UTC', 'UTC']);
});
