import { expect, test } from 'vitest';
import type { Instant } from '../../base/time.ts';
import { attentionOf, nothingKnown as well } from './attention.ts';

const now = 1_800_000_000_000 as Instant;

test('skipping needs a person from five of the latest twenty slots on', () => {
  expect(attentionOf({ ...well, skips: 4 }, now).kind).toBeNull();
  expect(attentionOf({ ...well, skips: 9 }, now)).toMatchObject({
    kind: 'skipping',
    text: '9 of its latest 20 slots were skipped',
  });
});

test('a failure is worse than skips, and a paused schedule skips nothing', () => {
  expect(attentionOf({ ...well, skips: 9, failures: 1 }, now).kind).toBe('failing');
  expect(attentionOf({ ...well, skips: 9, isPaused: true }, now).kind).toBe('paused');
});

test('counts of thousands have their commas', () => {
  expect(attentionOf({ ...well, failures: 2174 }, now).text).toBe('2,174 failures in a row');
});
