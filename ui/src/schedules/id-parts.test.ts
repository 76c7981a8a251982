import { expect, test } from 'vitest';
import { partsOfId } from './id-parts.ts';

test('of a long id the end is kept, a short one stays whole', () => {
  expect(partsOfId('invoice-sync')).toBeUndefined();
  expect(partsOfId('nightly-reconciliation-job-number-0003')).toEqual({
    begin: 'nightly-reconciliation-job',
    end: '-number-0003',
  });
  // A letter of two units is not cut in two.
  expect(partsOfId(`${'🔔'.repeat(30)}`)?.end).toBe('🔔'.repeat(12));
});
