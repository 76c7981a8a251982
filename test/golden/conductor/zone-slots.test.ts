/** The first five slots that a real Conductor server computed, for 192 cron texts, zones and starts around clock changes. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addTime, instant } from '../../../packages/carillon/src/base/time.ts';
import { budgetOf, compileSpec } from '../../../packages/carillon/src/spec/index.ts';
import { specOf } from '../../../packages/server/src/door/conductor/when.ts';
import { deliberateSlots } from './deliberate.ts';

interface Recorded {
  readonly id: string;
  readonly cron: string;
  readonly zone: string;
  readonly start: number;
  readonly expect: readonly number[];
}

const { cases } = JSON.parse(readFileSync(new URL('zone-slots.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly Recorded[];
};

/** The slots of a recorded case by our own tables and rules. */
function slotsOf({ cron, zone, start, expect: recorded }: Recorded): readonly (number | null)[] {
  const spec = specOf({ cronExpression: cron, zoneId: zone, cronSchedules: [] }, 'UTC');
  const walk = compileSpec(spec).walk(addTime(instant(start), -500));
  return recorded.map(() => {
    const slot = walk.next(budgetOf(100_000));
    return slot.kind === 'found' ? slot.nominal : null;
  });
}

describe.each([...new Set(cases.map(({ zone }) => zone))])('%s', (zone) => {
  test('has the recorded slots, or others for a written reason', () => {
    for (const each of cases.filter((other) => other.zone === zone)) {
      const found = { id: each.id, slots: slotsOf(each) };
      const recorded = { id: each.id, slots: each.expect };
      if (deliberateSlots[each.id] === undefined) expect(found).toEqual(recorded);
      else expect(found).not.toEqual(recorded);
    }
  });
});
