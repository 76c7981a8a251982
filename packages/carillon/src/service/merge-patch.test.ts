import { describe, expect, test } from 'vitest';
import type { ScheduleDefinition } from '../scheduler/definition.ts';
import { storedDefinition } from './definition-draft.ts';
import { patchDefinition } from './merge-patch.ts';
import { readScheduleInput } from './schedule-input.ts';

const stored: ScheduleDefinition = {
  ...storedDefinition(
    { namespace: 'default', id: 'it' },
    readScheduleInput({ cron: '0 9 * * *', zone: 'Europe/Berlin', run: 'x', memo: { a: 1 }, limit: 3 }),
  ),
  paused: null,
  remaining: null,
};

/** As the Temporal door leaves it: words of its own, runs that can be found, a lease. */
const ofTemporal: ScheduleDefinition = {
  ...stored,
  action: { ...stored.action, findable: true, settings: { leaseMs: 5000 } },
  origin: { temporal: { spec: 's', action: 'a', memo: 'm', policies: 'p' } },
};

describe('a patch', () => {
  test('keeps what it does not name, and says nothing about a pause', () => {
    const draft = patchDefinition(stored, { description: 'new' });
    const { paused: _, remaining: __, seed: ___, timeZoneVersion: ____, ...said } = stored;
    expect(draft).toEqual({ ...said, declaredBy: '', demandsTimes: true, description: 'new' });
  });

  test('keeps what only another door can say, where it changes nothing', () => {
    const draft = patchDefinition(ofTemporal, { description: 'new' });
    expect(draft.action).toEqual(ofTemporal.action);
    expect(draft.origin).toEqual(ofTemporal.origin);
  });

  test('takes the words of another door away from the parts that it changes', () => {
    expect(patchDefinition(ofTemporal, { cron: '0 10 * * *' }).origin?.temporal).toEqual({
      action: 'a',
      memo: 'm',
      policies: 'p',
    });
    expect(patchDefinition(ofTemporal, { memo: null }).origin?.temporal).toEqual({
      spec: 's',
      action: 'a',
      policies: 'p',
    });
    const other = patchDefinition(ofTemporal, { http: { url: 'https://example.com' } });
    expect(other.action).toMatchObject({ kind: 'http', queue: '@http' });
    expect(other.action).not.toHaveProperty('findable');
    expect(other.origin?.temporal).toEqual({ spec: 's', memo: 'm', policies: 'p' });
  });

  test('one that says when replaces the sources and keeps zone and bounds', () => {
    const draft = patchDefinition(stored, { every: '1h' });
    expect(draft.spec).toEqual({ intervals: [{ everyMs: 3_600_000 }], zone: 'Europe/Berlin' });
  });
});
